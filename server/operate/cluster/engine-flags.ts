/**
 * Flags of V8 that processes are started with. They stand on their command line, since code that an earlier process has compiled is only
 * taken by one with the same flags.
 */

/**
 * Bytecodes that V8 may inline into one function. Of what it allows by itself, 920, a page's function that calls a few partials has none
 * left for its loops; sites and the runtime consist of many small functions.
 */
export const MORE_INLINING = '--max-inlined-bytecode-size-cumulative=4500'

/**
 * Has V8 look for what is not needed any more whenever the heap has grown by a fifth. By itself it lets a process that links a site anew
 * with every edit grow to twice of what it holds, and shrink when nobody asks for anything.
 */
export const BOUND_HEAP = '--heap-growing-percent=20'
