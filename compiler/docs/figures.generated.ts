// Written by `npm run bench -- --write`: what the benchmarks have measured last.
import type { BenchFigures } from './how-fast.ts'

export const FIGURES: readonly BenchFigures[] = []
