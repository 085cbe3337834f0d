/** The entry of a child process that loads a release, so that a faulty one harms no server. Prints the reason if it cannot be loaded. */
import * as runtime from '../../../runtime/index.ts'
import { findBuilt, loadSite } from '../../web/site/load.ts'
import { StartError } from '../../core/start-error.ts'

const [, , root = '', folder = ''] = process.argv

async function load(): Promise<void> {
  findBuilt(root, folder)
  await loadSite({ root, folder }, runtime)
}

load().then(
  () => process.exit(0),
  (error: unknown) => {
    process.stdout.write(error instanceof StartError ? error.message : String(error), () => process.exit(1))
  },
)
