// Written by `npm run bench -- --write`: what the benchmarks have measured last.
import type { BenchFigures } from './figures.ts'

export const FIGURES: readonly BenchFigures[] = []
