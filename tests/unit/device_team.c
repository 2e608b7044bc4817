/* device_team.c - teams of the fake device: a rank waits for the other one, as with NCCL. Here one process is both ranks. */
#include "unit/fake_device.h"
#include <string.h>

enum { TEAM_BYTES = 300000, MANY = 1000 };

static void poll_team(void *team)
{
    for (int done = 0; !done;)
        ck_assert_int_eq(dev->teams->poll(team, &done), SUBX_ERR_NONE);
}

static void join_both(void *team[2])
{
    sx_device_id id;
    sx_text why = {NULL, 0, 0};
    int done;
    ck_assert_int_eq(dev->teams->find(&why), SUBX_ERR_UNAVAILABLE);
    fake->teams = SX_FAKE_HAS_TEAMS;
    ck_assert_int_eq(dev->teams->find(&why), SUBX_ERR_NONE);
    ck_assert_int_eq(dev->teams->create_id(handle, &id), SUBX_ERR_NONE);
    ck_assert_int_eq(dev->teams->join(handle, &id, 2, 0, &team[0]), SUBX_ERR_NONE);
    for (int i = 0; i < MANY; i++) {
        ck_assert_int_eq(dev->teams->poll(team[0], &done), SUBX_ERR_NONE);
        ck_assert_int_eq(done, 0);
    }
    ck_assert_int_eq(dev->teams->join(handle, &id, 2, 1, &team[1]), SUBX_ERR_NONE);
    for (int r = 0; r < 2; r++)
        poll_team(team[r]);
}

static void move_block(void *team[2], int r, int side, void *at)
{
    const sx_device_block block = {1 - r, side, at, TEAM_BYTES};
    ck_assert_int_eq(dev->teams->move(team[r], stream[r], 1, &block), SUBX_ERR_NONE);
    poll_team(team[r]);
}

/* Query a stream many times, or until its work has ended. */
static int has_ended(void *s)
{
    int done = 0;
    for (int i = 0; i < MANY && !done; i++)
        ck_assert_int_eq(dev->query(s, &done), SUBX_ERR_NONE);
    return done;
}

TEST(a_rank_of_a_team_waits_for_the_other_one)
{
    static char sent[TEAM_BYTES], got[TEAM_BYTES];
    void *team[2], *memory[2];
    open_device(3);
    join_both(team);
    for (int i = 0; i < TEAM_BYTES; i++)
        sent[i] = (char)(i * 7 + i / 255);
    for (int r = 0; r < 2; r++)
        memory[r] = alloc(TEAM_BYTES);
    copy(memory[0], sent, TEAM_BYTES);
    move_block(team, 0, SX_FROM, memory[0]);
    ck_assert(!has_ended(stream[0]));
    move_block(team, 1, SX_TO, memory[1]);
    ck_assert(has_ended(stream[0]) && has_ended(stream[1]));
    copy(got, memory[1], TEAM_BYTES);
    ck_assert(memcmp(got, sent, TEAM_BYTES) == 0);
    move_block(team, 0, SX_FROM, memory[0]);
    ck_assert(!has_ended(stream[0]));
    dev->teams->leave(team[0], 1);
    ck_assert(has_ended(stream[0]));
    dev->teams->leave(team[1], 1);
    for (int r = 0; r < 2; r++)
        dev->free(handle, memory[r]);
    close_device();
}

int main(void)
{
    return test_unit_run_mpi("device_team");
}
