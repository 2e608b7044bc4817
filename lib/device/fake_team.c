/* fake_team.c - teams of the fake device. The ranks of a team share a file with a mailbox for each pair of ranks. Work that moves
 * blocks waits in its stream, as with NCCL, until the other ranks move them, too, or this rank leaves the team as broken. */
#include "device/fake.h"
#include <fcntl.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

enum { MOST_RANKS = 16, ROOM = 1 << 16 };

/* Both counters count bytes and only grow. The sender writes `sent`, the receiver writes `taken`. */
typedef struct mailbox {
    uint64_t sent, taken;
    char data[ROOM];
} mailbox;

typedef struct board {
    int has_joined[MOST_RANKS];
    mailbox box[MOST_RANKS][MOST_RANKS]; /* [sender][receiver] */
} board;

typedef struct team {
    sx_fake *fake;
    int n, r;
    board *board;
    /* work that `move` has begun, and that `poll` puts into the stream; NULL for none */
    struct sx_fake_move *begun;
    void *stream;
    int has_joined;
} team;

typedef struct sx_fake_move {
    team *team; /* NULL if the team was left as broken */
    int n;
    sx_device_block *block;
    ptrdiff_t *through; /* for each block: how many bytes have been moved */
} move;

/* ---- moves */

void sx_device_fake_free_move(sx_fake *f, move *m)
{
    if (!m)
        return;
    sx_base_free(m->through);
    sx_base_free(m->block);
    sx_base_free(m);
    f->nobjects--;
}

static move *create_move(team *t, int n, const sx_device_block block[])
{
    move *m = sx_base_alloc(1, sizeof *m);
    if (!m)
        return NULL;
    t->fake->nobjects++;
    *m = (move){.team = t, .n = n};
    m->block = sx_base_alloc(n, sizeof *m->block);
    m->through = sx_base_alloc(n, sizeof *m->through);
    if (!m->block || !m->through) {
        sx_device_fake_free_move(t->fake, m);
        return NULL;
    }
    memcpy(m->block, block, (size_t)n * sizeof *block);
    return m;
}

/* Copy `bytes` bytes between memory of the device and a mailbox, from byte `at` of all its bytes on. */
static void copy(const team *t, const sx_device_block *b, mailbox *box, char *memory, uint64_t at,
                 ptrdiff_t bytes)
{
    for (ptrdiff_t i = 0; i < bytes; i++) {
        char *const mail = &box->data[(at + (uint64_t)i) % ROOM];
        if (b->side == SX_FROM)
            *mail = memory[i];
        else
            memory[i] = t->fake->teams == SX_FAKE_SPOILS_TEAMS ? (char)~*mail : *mail;
    }
}

/* Move as many bytes of a block as the mailbox allows now. */
static void move_block(const team *t, const sx_device_block *b, ptrdiff_t *through)
{
    const int sends = b->side == SX_FROM;
    mailbox *box = sends ? &t->board->box[t->r][b->rank] : &t->board->box[b->rank][t->r];
    const uint64_t sent = __atomic_load_n(&box->sent, __ATOMIC_ACQUIRE),
                   taken = __atomic_load_n(&box->taken, __ATOMIC_ACQUIRE);
    const ptrdiff_t inside = (ptrdiff_t)(sent - taken), most = sends ? ROOM - inside : inside,
                    left = b->bytes - *through, bytes = left < most ? left : most;
    if (bytes <= 0)
        return;
    if (sx_device_fake_open(t->fake, b->at, PROT_READ | PROT_WRITE))
        copy(t, b, box, (char *)b->at + *through, sends ? sent : taken, bytes);
    else
        t->fake->error = SUBX_ERR_DEVICE;
    (void)sx_device_fake_open(t->fake, b->at, PROT_NONE);
    *through += bytes;
    __atomic_store_n(sends ? &box->sent : &box->taken, (sends ? sent : taken) + (uint64_t)bytes,
                     __ATOMIC_RELEASE);
}

/* Query whether an earlier block to or from the same rank is not yet through. */
static int must_wait(const move *m, int i)
{
    for (int k = 0; k < i; k++)
        if (m->block[k].rank == m->block[i].rank && m->block[k].side == m->block[i].side &&
            m->through[k] < m->block[k].bytes)
            return 1;
    return 0;
}

int sx_device_fake_execute_move(move *m)
{
    int is_done = 1;
    for (int i = 0; i < m->n && m->team; i++) {
        if (!must_wait(m, i))
            move_block(m->team, &m->block[i], &m->through[i]);
        is_done = is_done && m->through[i] == m->block[i].bytes;
    }
    return is_done || !m->team;
}

/* Let all work of a team end. */
static void drop_moves(const team *t)
{
    for (sx_fake_stream *s = t->fake->stream; s; s = s->next)
        for (sx_fake_work *w = s->first; w; w = w->next)
            if (w->move && w->move->team == t)
                w->move->team = NULL;
}

/* ---- the file of a team */

/* What a name has: the descriptor of the file in the process of the first rank. */
typedef struct file_name {
    int pid, file;
} file_name;

static int find(sx_text *why)
{
    sx_fake *f = sx_base_knobs.fake;
    if (f->teams != SX_FAKE_LACKS_TEAMS && !sx_device_fake_has_failed(f))
        return SUBX_ERR_NONE;
    sx_base_print(why, "there is no library for teams");
    return SUBX_ERR_UNAVAILABLE;
}

static int get_card(void *self, sx_device_card *card)
{
    const sx_fake *f = self;
    *card = (sx_device_card){.version = f->version};
    if (sx_device_fake_has_failed(self))
        return SUBX_ERR_DEVICE;
    sx_text t = {card->device, sizeof card->device, 0};
    sx_base_print(&t, "%d", f->number);
    return SUBX_ERR_NONE;
}

static int create_id(void *self, sx_device_id *id)
{
    sx_fake *f = self;
    *id = (sx_device_id){{0}};
    if (f->file > 0)
        close(f->file);
    f->file = sx_device_fake_has_failed(f) ? -1 : sx_device_fake_create_file(sizeof(board));
    if (f->file < 0)
        return SUBX_ERR_DEVICE;
    const file_name name = {getpid(), f->file};
    memcpy(id, &name, sizeof name);
    return SUBX_ERR_NONE;
}

static board *map_board(const sx_device_id *id)
{
    char path[64];
    sx_text t = {path, sizeof path, 0};
    file_name name;
    memcpy(&name, id, sizeof name);
    sx_base_print(&t, "/proc/%d/fd/%d", name.pid, name.file);
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return NULL;
    board *b = mmap(NULL, sizeof *b, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    close(file);
    return b == MAP_FAILED ? NULL : b;
}

/* ---- teams */

static int join(void *self, const sx_device_id *id, int n, int r, void **result)
{
    sx_fake *f = self;
    *result = NULL;
    if (n > MOST_RANKS || sx_device_fake_has_failed(f))
        return SUBX_ERR_DEVICE;
    team *t = sx_base_alloc(1, sizeof *t);
    if (!t)
        return SUBX_ERR_NO_MEM;
    *t = (team){.fake = f, .n = n, .r = r, .board = map_board(id)};
    if (!t->board) {
        sx_base_free(t);
        return SUBX_ERR_DEVICE;
    }
    __atomic_store_n(&t->board->has_joined[r], 1, __ATOMIC_RELEASE);
    f->nobjects++;
    *result = t;
    return SUBX_ERR_NONE;
}

static int has_memory(const sx_fake *f, int n, const sx_device_block block[])
{
    for (int i = 0; i < n; i++)
        if (!sx_device_fake.has((void *)(size_t)f, block[i].at, block[i].bytes))
            return 0;
    return 1;
}

static int begin_move(void *self, void *stream, int n, const sx_device_block block[])
{
    team *t = self;
    if (!t->has_joined || t->begun || !has_memory(t->fake, n, block))
        return SUBX_ERR_ARG;
    if (sx_device_fake_has_failed(t->fake))
        return SUBX_ERR_DEVICE;
    t->begun = create_move(t, n, block);
    t->stream = stream;
    t->fake->nmoves++;
    return t->begun ? SUBX_ERR_NONE : SUBX_ERR_NO_MEM;
}

/* The work is not in its stream at once, but after some polls. Only a poll that sees the end counts as a call that can fail. */
static int poll_move(team *t, int *done)
{
    *done = sx_device_fake_get_random(t->fake, 3) == 0;
    if (!*done)
        return SUBX_ERR_NONE;
    const sx_fake_work w = {.what = SX_FAKE_MOVE, .move = t->begun};
    const int kind = sx_device_fake_put(t->stream, &w);
    if (kind)
        sx_device_fake_free_move(t->fake, t->begun);
    t->begun = NULL;
    return kind;
}

static int poll(void *self, int *done)
{
    team *t = self;
    *done = 1;
    if (t->begun)
        return poll_move(t, done);
    for (int q = 0; q < t->n && !t->has_joined; q++)
        *done = *done && __atomic_load_n(&t->board->has_joined[q], __ATOMIC_ACQUIRE);
    if (!*done || t->has_joined)
        return SUBX_ERR_NONE;
    t->has_joined = 1;
    return sx_device_fake_has_failed(t->fake) ? SUBX_ERR_DEVICE : SUBX_ERR_NONE;
}

static void leave(void *self, int is_broken)
{
    team *t = self;
    (void)is_broken;
    if (!t)
        return;
    drop_moves(t);
    sx_device_fake_free_move(t->fake, t->begun);
    munmap(t->board, sizeof *t->board);
    t->fake->nobjects--;
    sx_base_free(t);
}

const sx_device_teams sx_device_fake_teams = {.find = find,
                                              .get_card = get_card,
                                              .create_id = create_id,
                                              .join = join,
                                              .move = begin_move,
                                              .poll = poll,
                                              .leave = leave};
