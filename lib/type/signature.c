/* signature.c - compare the type signatures of two datatypes: their sequences of basic types. */
#include "type/type.h"

/* A position in a tree: the number of an entry of a node, and how many repetitions of this entry are done. */
typedef struct position {
    const sx_node *node;
    int entry;
    MPI_Count done;
} position;

/* A walk over the leaves of a tree in the order of the signature. One step takes consecutive leaves of one
 * basic type; the next step may take more leaves of this type. */
typedef struct walk {
    position *stack;
    int depth, room;
    MPI_Datatype basic; /* the basic type of the leaves of this step; MPI_DATATYPE_NULL at the end */
    MPI_Count left;     /* how many of these leaves are not compared yet */
} walk;

/* Enter a node. The stack is our own, because a nest of types may be too deep for recursion on the C
 * stack. */
static int push(walk *w, const sx_node *node)
{
    if (w->depth == w->room) {
        int room = w->room ? 2 * w->room : 16;
        position *stack = sx_base_alloc(room, sizeof *stack);
        if (!stack)
            return subx_error_get_code(SUBX_ERR_NO_MEM);
        for (int i = 0; i < w->depth; i++)
            stack[i] = w->stack[i];
        sx_base_free(w->stack);
        w->stack = stack;
        w->room = room;
    }
    w->stack[w->depth++] = (position){node, 0, 0};
    return MPI_SUCCESS;
}

/* Visit the child of entry e, the entry at the position `top`. If all leaves of the child have one basic
 * type, one step takes all repetitions of the child. Else push the child on the stack. */
static int descend(walk *w, position *top, const sx_entry *e)
{
    if (e->n * e->child->count == 0) {
        top->entry++;
        return MPI_SUCCESS;
    }
    if (e->child->uniform != MPI_DATATYPE_NULL) {
        w->basic = e->child->uniform;
        w->left = e->n * e->child->count;
        top->entry++;
        return MPI_SUCCESS;
    }
    if (++top->done == e->n) {
        top->done = 0;
        top->entry++;
    }
    return push(w, e->child);
}

/* If no leaves of the current step are left, go to the next step. */
static int advance(walk *w)
{
    int rc = MPI_SUCCESS;
    while (w->left == 0 && w->depth > 0 && !rc) {
        position *top = &w->stack[w->depth - 1];
        if (top->entry == top->node->nentries)
            w->depth--;
        else
            rc = descend(w, top, &top->node->entry[top->entry]);
    }
    if (w->left == 0)
        w->basic = MPI_DATATYPE_NULL;
    return rc;
}

/* Begin a walk. If all leaves of the tree have one basic type, they are one step. */
static int start(walk *w, const sx_node *root)
{
    *w = (walk){.basic = MPI_DATATYPE_NULL};
    if (root->uniform == MPI_DATATYPE_NULL)
        return push(w, root);
    w->basic = root->uniform;
    w->left = root->count;
    return MPI_SUCCESS;
}

/* Walk both trees until they differ or both end. *first becomes the index of the leaf at which they differ or
 * end. */
static int compare(walk *a, walk *b, MPI_Count *first)
{
    int rc;
    *first = 0;
    for (;;) {
        rc = advance(a);
        if (!rc)
            rc = advance(b);
        if (rc || a->basic != b->basic || a->basic == MPI_DATATYPE_NULL)
            return rc;
        MPI_Count n = a->left < b->left ? a->left : b->left;
        a->left -= n;
        b->left -= n;
        *first += n;
    }
}

/* Both walks are started before errors are handled, so that both stacks can be freed in all cases. */
static int compare_trees(const sx_tree *a, const sx_tree *b, MPI_Count *first, MPI_Datatype basic[2])
{
    walk w[2];
    int rc = start(&w[0], a->root);
    int rc2 = start(&w[1], b->root);
    if (!rc)
        rc = rc2;
    if (!rc)
        rc = compare(&w[0], &w[1], first);
    basic[0] = w[0].basic;
    basic[1] = w[1].basic;
    sx_base_free(w[0].stack);
    sx_base_free(w[1].stack);
    return rc;
}

int subx_type_query_match(MPI_Datatype a, MPI_Datatype b, int *match, MPI_Count *first, MPI_Datatype *basic_a,
                          MPI_Datatype *basic_b)
{
    sx_tree ta, tb;
    MPI_Datatype basic[2];
    MPI_Count at;
    if (!match)
        return subx_error_get_code(SUBX_ERR_ARG);
    int rc = sx_type_parse(a, &ta);
    if (rc)
        return rc;
    rc = sx_type_parse(b, &tb);
    if (!rc) {
        rc = compare_trees(&ta, &tb, &at, basic);
        sx_type_tree_free(&tb);
    }
    sx_type_tree_free(&ta);
    if (rc)
        return rc;
    *match = basic[0] == basic[1];
    if (*match)
        return MPI_SUCCESS;
    if (first)
        *first = at;
    if (basic_a)
        *basic_a = basic[0];
    if (basic_b)
        *basic_b = basic[1];
    return MPI_SUCCESS;
}
