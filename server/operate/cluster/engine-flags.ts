/**
 * V8 flags of child processes. They are given on the command line, because V8 reuses code that another process compiled only if
 * its flags are the same.
 */

/**
 * Bytecodes that V8 may inline into one function. V8's default is 920. A page's function that calls a few partials uses that up, and
 * its loops are not inlined. Sites and the runtime consist of many small functions.
 */
export const MORE_INLINING = '--max-inlined-bytecode-size-cumulative=4500'

/**
 * Makes V8 collect garbage whenever the heap has grown by a fifth. By default, a process that reloads a site with every edit grows to
 * twice its needed size.
 */
export const BOUND_HEAP = '--heap-growing-percent=20'
