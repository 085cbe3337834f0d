/** The entry of the process that imports and exports data. */
import { runWork } from '../tasks/child.ts'
import { startTransfers } from './process.ts'

runWork(startTransfers)
