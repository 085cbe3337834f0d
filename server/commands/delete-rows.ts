/** `ingot data delete TABLE`: deletes the rows of a table, also of one without a file, with which the site cannot start. */
import { readCommandLine } from '../core/command-line.ts'
import { createLogger, escapeControls } from '../core/services/log.ts'
import type { Settings } from '../core/settings.ts'
import { StartError } from '../core/start-error.ts'
import { deleteRows } from '../data/store/tables.ts'
import { withStore } from '../data/with-store.ts'

/**
 * Runs the command. The files of the site are not read, so it also works while the site cannot start.
 * @param args the arguments after `data delete`
 * @returns the exit code
 * @throws StartError
 */
export async function deleteRowsCommand(args: readonly string[], settings: Settings): Promise<number> {
  const [table, dir = '.', extraArgument] = readCommandLine('ingot data delete', args, {
    switches: [],
    values: [],
  }).words
  if (table === undefined || extraArgument !== undefined)
    throw new StartError('`ingot data delete` needs a table, and takes a folder: ingot data delete TABLE [DIR]')
  const logger = createLogger('warn', true, process.stderr)
  const count = await withStore({ settings, dir, pool: 2, logger }, ({ sql }) => deleteRows(sql, table))
  process.stderr.write(
    `${count} ${count === 1 ? 'row' : 'rows'} of the table ${escapeControls(table)} ${count === 1 ? 'was' : 'were'} deleted.\n`,
  )
  return 0
}
