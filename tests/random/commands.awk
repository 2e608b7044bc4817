# commands.awk - draw command lines of subx-fft and subx-wisdom, most of which have something wrong; for commands.sh.
#
# A line has RANKS, PROGRAM, WORDS, VARIABLES, ARGUMENTS, separated by TABs. WORDS are separated by |; the error message
# must contain one of them. Variables and arguments are quoted for the shell. $f is the folder with the files that
# commands.sh makes.

# Lehmer's generator (Park & Miller 1988). Its numbers are exact in any awk.
function draw(n)
{
    state = (state * 16807) % 2147483647
    return int(state / 2147483647 * n)
}

function one_of(list,    items)
{
    return items[1 + draw(split(list, items, " "))]
}

function quote(text)
{
    return text ~ /^\$f\// ? "\"" text "\"" : "'" text "'"
}

function name(word)
{
    sub(/^\$f\//, "", word)
    words = words "|" word
}

function add(word)
{
    arguments = arguments " " quote(word)
}

function add_option(option, value)
{
    name(option)
    if (draw(2)) {
        add(option)
        add(value)
    } else {
        arguments = arguments " " option "=" quote(value)
    }
}

# Replace, insert and remove some characters of a text.
function damage(text, letters,    at, what)
{
    for (what = 1 + draw(2); what > 0; what--) {
        at = 1 + draw(length(text) + 1)
        text = substr(text, 1, at - 1) (draw(3) ? substr(letters, 1 + draw(length(letters)), 1) : "") \
            substr(text, at + draw(2))
    }
    return text
}

function get_problem()
{
    return one_of("c2c:6x5 r2c:8x6 c2r:4x6 dct2,c2c,r2c:4x3x6 2*r2c.f32:4x6 c2c:4x4*2 c2c:4x4>6x6 r2c:6x4/padded c2c:16 r2c:16 -:4x4 c2c.long:6x4")
}

function get_wrong_problem()
{
    if (draw(3))
        return damage(get_problem(), "0123456789xcrd-,.:>*/ =")
    return one_of("4x4 r2r:4x4 c2c:0x4 c2c:4x c2c r2c,r2c:8x8 c2c,c2c:4x4x4 c2c.f16:4x4 0*c2c:4x4 c2c:5x4>4x4 dct1:1x4 c2c:4x4/padded c2c:4x4/physical-boxes c2c:4294967296x4294967296 c2c:99999999999999999999 c2c:2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2x2 c2c:4x4/physical-order=1,1")
}

function get_input()
{
    return "$f/" one_of("good.npy fortran.npy nan.npy cut.npy short.npy text.npy empty.npy object.npy ints.npy bool.npy half.npy struct.npy scalar.npy deep.npy none.npy negative.npy vast.npy header.npy changed.npy folder.npy pipe.npy pipe.h5 folder.h5 missing.npy missing.h5 text.h5 empty.h5 cut.h5 good.h5 good.raw locked.npy nowhere/good.npy good.npy/good.npy")
}

function get_output()
{
    return draw(5) ? "$f/" one_of("nowhere/o.npy folder.npy folder.h5 pipe.npy pipe.h5 pipe.raw good.npy/o.npy o.npy o.h5 o.raw o locked.npy") : one_of("/dev/null /dev/full /proc/o.npy /nowhere/o.h5 " long_name)
}

function get_number()
{
    return one_of("-1 0x10 1e3 99999999999999999999 some 1.5 -99999999999 1k +1 ,")
}

# Add a hint, as an option or as an environment variable. Half of the values are words that some or all hints refuse.
function add_hint(    which, option, value)
{
    which = one_of("--grid:GRID --sequence:SEQUENCE --output-order:OUTPUT --scaling:SCALING --input-array:INPUT --effort:EFFORT --engine:ENGINE --threads:THREADS --wisdom:WISDOM --ranks:RANKS --time-limit:TIME_LIMIT --tuning:TUNE --tuning:TUNE --tuning:TUNE --tuning:TUNE :FORMAT :KEEP :OFFSET :BYTES :DATASET :VERBOSE :MEMORY :WORK")
    option = which
    sub(/:.*/, "", option)
    sub(/.*:/, "SUBX_", which)
    value = get_number()
    if (draw(2))
        value = one_of("two 0 99 1x 3x3 2x2x2x2x2 1,1 5 0,1,2,3 luck FUSED fused natural steam alltoallw types shm/shm/shm / auto/ sideways transposed double both loud sharp eat abacus heroic maybe yes auto none " long_name)
    if (which == "SUBX_WISDOM")
        value = one_of("$f/folder.npy $f/pipe.npy $f/text.npy $f/nowhere/w /dev/null /proc/w none auto " long_name)
    if (which == "SUBX_TUNE" && draw(4))
        value = one_of("strategy serial permute overlap slices progress width pencils cache reorder between rigor slizes grid") " " value
    if (option == "" || draw(2)) {
        variables = variables " " which "=" quote(value)
        name(which)
    } else {
        add_option(option, value)
    }
}

function add_action(    which)
{
    which = draw(12)
    if (which == 0)
        add_option("--repeat", one_of("5 0x3 5x-3 x 99999999999x2 46341x46341 2x1"))
    else if (which == 1)
        add_option("--seed", get_number())
    else if (which < 4)
        add_word(one_of("--verify=luck --calibrate=0 --calibrate=soon --verify --forward=1 --csv=no --help=2"))
    else if (which < 7)
        add_word(one_of("--nonsense -x -- --grids --grid= --input --output --seed= ="))
    else if (which == 7)
        add_both("--csv", "--json")
    else if (which == 8)
        add_both("--forward", "--backward")
    else if (which == 9)
        add_both("--csv", "--explain")
    else if (which == 10)
        add_both(get_problem(), get_problem())
    else
        add_both("--calibrate", get_problem())
}

function add_word(word)
{
    add(word)
    sub(/=.*/, "", word)
    name(word == "" ? "=" : word)
}

function add_both(first, second)
{
    add_word(first)
    add_word(second)
}

function add_right()
{
    add_both(one_of("--csv --json --explain --forward --backward --verify --verify=properties"), one_of("--grid=1 --output-order=natural --scaling=forward --ranks=1 --seed=7 --output-order=transposed --repeat=2x1"))
}

function draw_fft(    what, problem)
{
    name("neither a problem")
    problem = get_problem()
    for (what = 1 + draw(3); what > 0; what--) {
        kind = draw(20)
        if (kind < 5)
            problem = get_wrong_problem()
        else if (kind < 9)
            add_hint()
        else if (kind < 12)
            add_action()
        else if (kind < 16) {
            add_option("--input", input = get_input())
            name(input)
            problem = draw(2) ? "" : problem
        } else if (kind < 18) {
            add_option("--output", output = get_output())
            name(substr(output, 1, 40))
        } else
            add_right()
    }
    if (problem != "") {
        add(problem)
        name(substr(problem, 1, 30))
    }
}

function draw_wisdom(    which)
{
    if (draw(2)) {
        file = one_of("$f/folder.npy $f/pipe.npy $f/text.npy $f/empty.npy $f/nowhere/w $f/missing $f/wisdom /dev/null /proc/w none auto " long_name)
        name(substr(file, 1, 40))
        add_option(one_of("--file --file --file --fil"), file)
    }
    name("subarray_x")
    which = one_of("list list=x forget forget--all merge merge-nothing merge-pipe path burn nothing -x")
    if (which == "list=x")
        add_both("list", "x")
    else if (which == "forget--all")
        add_both("forget", "--all")
    else if (which == "merge")
        add_both("merge", get_input())
    else if (which == "merge-nothing")
        add_word("merge")
    else if (which == "merge-pipe")
        add_both("merge", "$f/pipe.npy")
    else if (which == "nothing")
        name("command")
    else
        add_word(which)
    if (!draw(6))
        add_both("x", "y")
}

BEGIN {
    for (long_name = "n"; length(long_name) < 300;)
        long_name = long_name "ame"
    command = seed % 2147483646 + 1
    for (number = 0; number < first + count; number++) {
        state = command = (command * 48271) % 2147483647
        if (number < first)
            continue
        words = variables = arguments = ""
        ranks = draw(12) ? 0 : 2 + draw(2)
        program = draw(8) ? "subx-fft" : "subx-wisdom"
        if (program == "subx-fft")
            draw_fft()
        else {
            ranks = 0
            draw_wisdom()
        }
        print ranks "\t" program "\t" substr(words, 2) "\t" variables "\t" arguments
    }
}
