include_HEADERS += %D%/subx.h %D%/subx_fft.h
