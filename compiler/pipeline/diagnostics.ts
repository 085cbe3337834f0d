/** All diagnostics of the compiler. */
export * from '../core/diagnostics/codes/index.ts'
export * from '../phases/check/rules/index.ts'
