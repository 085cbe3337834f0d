/** The entry of the process that takes data in and hands it out. */
import { runWork } from '../tasks/child.ts'
import { startTransfers } from './process.ts'

runWork(startTransfers)
