/** Reports rejected rows. The first errors are printed, and all errors can be written to a file. */
import { closeSync, openSync, writeSync } from 'node:fs'
import { StartError } from '../../core/start-error.ts'
import { cellText } from './csv-form.ts'
import type { RowError } from './rows.ts'

/** Maximum number of errors that are printed. */
const MAX_PRINTED = 20

export interface FaultReport {
  readonly count: number
  add(fault: RowError): void
  /** Prints the summary, and closes the file. */
  close(): void
}

/**
 * Creates the report.
 * @param file receives every error: as CSV if its name ends in .csv, otherwise as one JSON object per line
 * @param print prints a line
 * @throws StartError when the file cannot be written
 */
export function createFaultReport(file: string | null, print: (line: string) => void): FaultReport {
  const csv = file?.toLowerCase().endsWith('.csv') === true
  const handle = file === null ? null : openFile(file)
  if (handle !== null && csv) writeSync(handle, 'file,line,table,row,property,reason\n')
  let count = 0
  return {
    get count() {
      return count
    },
    add({ location, property, reason }) {
      count++
      const table = location.table ?? 'users'
      if (handle !== null) {
        const fields = { file: location.file, line: location.line, table, row: location.row, property, reason }
        const cells = Object.values(fields).map((value) => cellText(value ?? undefined, null))
        writeSync(handle, csv ? `${cells.join(',')}\n` : `${JSON.stringify(fields)}\n`)
      }
      if (count > MAX_PRINTED) return
      print(faultLine({ location, property, reason }))
    },
    close() {
      if (handle !== null) closeSync(handle)
      if (count <= MAX_PRINTED) return
      const hint = file === null ? '`--errors FILE` writes all of them' : `all are in ${file}`
      print(`… and ${count - MAX_PRINTED} more: ${hint}`)
    },
  }
}

/** Formats an error with its location on one line. */
export function faultLine({ location, property, reason }: RowError): string {
  const { file, line, table, row } = location
  const prefix = property === null ? '' : `${printable(property)}: `
  return `${file}:${line}: ${printable(table ?? 'users')}, row ${row}: ${prefix}${printable(reason)}`
}

function openFile(file: string): number {
  try {
    return openSync(file, 'w')
  } catch (error) {
    throw new StartError(`'${file}' cannot be written: ${error instanceof Error ? error.message : String(error)}.`)
  }
}

/** Removes control characters, because text of an untrusted file must not control the terminal. */
function printable(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f]/g, ' ')
}
