/* main.c - the main program of all unit tests that have no other one. */
#include "common/unit.h"

int main(int argc, char **argv)
{
    (void)argc;
    return test_unit_run_mpi(argv[0]);
}
