include_HEADERS += %D%/subx.h %D%/subx_boxes.h %D%/subx_io.h %D%/subx_fft.h %D%/subx_tune.h
