/* help.c - the text of --help. */
#include "wisdom_cli/wisdom_cli.h"

static const char help[] =
    "Usage: subx-wisdom [--file PATH] COMMAND\n"
    "\n"
    "Look after the file in which plans of distributed transforms remember what was the fastest. It runs\n"
    "without mpirun, also while jobs use the file.\n"
    "\n"
    "Commands:\n"
    "  list [TEXT]        print the entries whose kind or key contains TEXT: kind, key and value,\n"
    "                     separated by TABs\n"
    "  forget TEXT        remove the entries whose kind or key contains TEXT\n"
    "  forget --all       remove all entries\n"
    "  merge FILE...      add the entries of other files; of two with the same kind and key the one of\n"
    "                     the last file counts\n"
    "  path               print the path of the file\n"
    "\n"
    "Options:\n"
    "  --file PATH        the file. Default, or auto: the value of SUBX_WISDOM, or\n"
    "                     XDG_CACHE_HOME/subarray_x/wisdom, or HOME/.cache/subarray_x/wisdom\n"
    "  --help, -h         print this text\n"
    "  --version          print the version\n"
    "\n"
    "Kinds: plan, the fastest hints for a problem; machine, the parameters of the cost model; fftw, the\n"
    "wisdom of FFTW.\n"
    "\n"
    "Exit status: 0 if all went well, 1 if no entry contains TEXT, 2 if the command line is wrong or a\n"
    "file cannot be used. One line on standard error then has the reason. Standard error also tells of\n"
    "damaged lines, which are no error.\n"
    "\n"
    "Examples:\n"
    "  subx-wisdom list c2c:256x256x256\n"
    "  subx-wisdom forget fftw\n"
    "  subx-wisdom --file /shared/wisdom merge laptop.wisdom cluster.wisdom\n";

void sx_wisdom_cli_help(void)
{
    fputs(help, stdout);
}
