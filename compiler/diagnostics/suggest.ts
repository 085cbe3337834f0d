/** Finds the name that a misspelled one was probably meant to be: the planner of queries and the compiler suggest alike. */
export { didYouMean, distance, nearest } from '../../runtime/query/suggest.ts'
