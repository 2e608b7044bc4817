/* main.c - the main function of programs that have checks and no main function of their own. */
#include "common/verdict.h"

int main(int argc, char **argv)
{
    test_begin(&argc, &argv);
    test_check_run();
    return test_end();
}
