/** `ingot check --data FILE`: derives the types of global variables from sample data. */
import type { AnalysisOptions } from '../../analysis.ts'
import { DataFileError, readData } from '../../core/source/data-file.ts'
import { typeOfValue } from '../../language/types/from-value.ts'
import { UsageError } from '../../core/usage-error.ts'

/** Returns the globals in a data file. @throws UsageError if the file cannot be read */
export async function readGlobals(path: string): Promise<Pick<AnalysisOptions, 'globals' | 'globalsAreAll'>> {
  try {
    const data = await readData(path)
    const globals = new Map(Object.entries(data).map(([name, value]) => [name, typeOfValue(value)]))
    return { globals, globalsAreAll: true }
  } catch (error) {
    if (error instanceof DataFileError) throw new UsageError(error.message)
    throw error
  }
}
