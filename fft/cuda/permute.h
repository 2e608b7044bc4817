/* permute.h - the permuting copies of cuda.cu: by tiles, by words, or by elements
 * (device/kernel_copy_body.h). cuda.cu includes it. */

namespace permuting {

template <typename word> __global__ void run_words(const sx_device_nest nest, const char *from, char *to)
{
    const ptrdiff_t step = get_step() * EACH;
    for (ptrdiff_t first = (ptrdiff_t)blockIdx.x * blockDim.x * EACH + threadIdx.x; first < nest.count;
         first += step) {
        word value[EACH];
        char *at[EACH];
#pragma unroll
        for (int k = 0; k < EACH; k++) {
            const ptrdiff_t i = first + (ptrdiff_t)k * blockDim.x;
            const char *read = from;
            at[k] = to;
            sx_device_find_element(&nest, i, &read, &at[k]);
            if (i < nest.count)
                value[k] = *reinterpret_cast<const word *>(read);
        }
#pragma unroll
        for (int k = 0; k < EACH; k++)
            if (first + (ptrdiff_t)k * blockDim.x < nest.count)
                *reinterpret_cast<word *>(at[k]) = value[k];
    }
}

/* A row of a block has 32 threads, and a thread copies several words of a tile. Threads copy more words if
 * these are short. */
template <typename word> struct tiling {
    static constexpr int rows = sizeof(word) >= 8 ? 8 : 4, each = SX_TILE / rows, threads = SX_TILE * rows;
};

/* The threads that a multiprocessor can have. The compiler must use so few registers that this many threads
 * fit: a copy is fast only if many threads wait for memory at the same time. */
#if !defined __CUDA_ARCH__ || __CUDA_ARCH__ == 750
enum { THREADS_MOST = 1024 };
#elif __CUDA_ARCH__ == 800 || __CUDA_ARCH__ == 900 || __CUDA_ARCH__ / 100 == 10
enum { THREADS_MOST = 2048 };
#else
enum { THREADS_MOST = 1536 };
#endif

/* Adjacent threads write words that are adjacent, along level 0. If level 0 is contiguous on both sides
 * (is_straight), a thread writes the words that it has read. Else adjacent threads read along level 1, and
 * words change threads in the shared memory. */
template <typename word, bool is_straight>
__global__ void __launch_bounds__(tiling<word>::threads, THREADS_MOST / tiling<word>::threads)
    run_tiles(const sx_device_nest nest, ptrdiff_t ntiles, const char *from, char *to)
{
    constexpr int rows = tiling<word>::rows, each = tiling<word>::each;
    __shared__ word shared[is_straight ? 1 : SX_TILE_WORDS];
    const int x = threadIdx.x % SX_TILE, y = threadIdx.x / SX_TILE;
    for (ptrdiff_t number = blockIdx.x; number < ntiles; number += gridDim.x) {
        const sx_device_tile tile = sx_device_find_tile(&nest, number, from, to);
        word value[each];
#pragma unroll
        for (int k = 0; k < each; k++) {
            const int i = is_straight ? x : y + k * rows, j = is_straight ? y + k * rows : x;
            if (sx_device_is_in_tile(&tile, i, j))
                value[k] = *reinterpret_cast<const word *>(sx_device_get_read(&nest, &tile, i, j));
        }
        if constexpr (!is_straight) {
#pragma unroll
            for (int k = 0; k < each; k++)
                shared[sx_device_get_place(y + k * rows, x)] = value[k];
            __syncthreads();
#pragma unroll
            for (int k = 0; k < each; k++)
                value[k] = shared[sx_device_get_place(x, y + k * rows)];
            __syncthreads();
        }
#pragma unroll
        for (int k = 0; k < each; k++)
            if (sx_device_is_in_tile(&tile, x, y + k * rows))
                *reinterpret_cast<word *>(sx_device_get_written(&nest, &tile, x, y + k * rows)) = value[k];
    }
}

__global__ void run_elements(const sx_device_nest nest, const char *from, char *to)
{
    for (ptrdiff_t i = get_first(); i < nest.count; i += get_step())
        sx_device_copy_element(&nest, i, from, to);
}

__global__ void run_convert(const sx_device_nest nest, const char *from, char *to)
{
    for (ptrdiff_t i = get_first(); i < nest.count; i += get_step())
        sx_device_convert_element(&nest, i, from, to);
}

unsigned limit_blocks(ptrdiff_t blocks)
{
    return (unsigned)(blocks < BLOCKS ? blocks : BLOCKS);
}

template <typename word>
void launch(cudaStream_t stream, const sx_device_nest &words, const char *from, char *to)
{
    sx_device_nest nest = words;
    const ptrdiff_t ntiles = sx_device_get_tiles(&nest);
    if (ntiles > 0 && sx_device_is_straight(&nest))
        run_tiles<word, true>
            <<<limit_blocks(ntiles), tiling<word>::threads, 0, stream>>>(nest, ntiles, from, to);
    else if (ntiles > 0)
        run_tiles<word, false>
            <<<limit_blocks(ntiles), tiling<word>::threads, 0, stream>>>(nest, ntiles, from, to);
    else {
        sx_device_gather_reads(&nest);
        run_words<word><<<count_blocks((nest.count + EACH - 1) / EACH), THREADS, 0, stream>>>(nest, from, to);
    }
}

/* Query whether a nest copies a single run. */
bool is_plain(const sx_device_nest &nest)
{
    return !nest.converts && nest.nlevels == 1 && nest.level[0].is == nest.element &&
           nest.level[0].os == nest.element;
}

void launch_any(cudaStream_t stream, const sx_device_nest &nest, const char *from, char *to)
{
    const sx_device_nest words = sx_device_get_words(&nest, from, to);
    if (is_plain(words))
        (void)cudaMemcpyAsync(to - words.skip[SX_TO] + words.first * words.element,
                              from - words.skip[SX_FROM] + words.first * words.element,
                              (size_t)(words.count * words.element), cudaMemcpyDefault, stream);
    else if (nest.converts)
        run_convert<<<count_blocks(nest.count), THREADS, 0, stream>>>(nest, from, to);
    else if (words.element == 16)
        launch<sx_device_pair>(stream, words, from, to);
    else if (words.element == 8)
        launch<sx_device_long_word>(stream, words, from, to);
    else if (words.element == 4)
        launch<sx_device_word>(stream, words, from, to);
    else if (words.element == 2)
        launch<sx_device_short_word>(stream, words, from, to);
    else if (words.element == 1)
        launch<sx_device_byte>(stream, words, from, to);
    else
        run_elements<<<count_blocks(words.count), THREADS, 0, stream>>>(words, from, to);
}

} // namespace permuting

int permute(void *stream, const sx_device_nest *nest, const void *from, void *to)
{
    if (nest->count == 0)
        return SUBX_ERR_NONE;
    permuting::launch_any(to_stream(stream), *nest, static_cast<const char *>(from), static_cast<char *>(to));
    return get_kind(cudaGetLastError());
}
