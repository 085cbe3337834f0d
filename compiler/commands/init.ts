/** `ingot init`: writes a site to begin with, or with `--production` the deployment files of a site. */
import { stat } from 'node:fs/promises'
import { createInterface } from 'node:readline/promises'
import { parseArgs } from 'node:util'
import { UsageError } from '../core/usage-error.ts'
import { findTemplate, PLAIN_TEMPLATE, templateFiles, TEMPLATES } from '../tools/templates/templates.ts'
import { writeSite } from '../tools/templates/write.ts'
import { folderOf, singleArgument } from './arguments.ts'

/**
 * Runs the command. On a terminal it asks for the template that `--template` does not name.
 * @param args arguments after `init`
 * @returns the exit code
 * @throws UsageError
 */
export async function init(args: readonly string[]): Promise<number> {
  const { values, positionals } = parseArgs({
    args: [...args],
    options: {
      template: { type: 'string' },
      production: { type: 'boolean', default: false },
      host: { type: 'string' },
    },
    allowPositionals: true,
  })
  if (values.production) {
    if (values.template !== undefined) throw new UsageError('The option --template does not go with --production.')
    const { writeDeployment } = await import('../tools/production/write.ts')
    return writeDeployment(folderOf(positionals, 'init --production'), values.host)
  }
  if (values.host !== undefined) throw new UsageError('The option --host belongs to `ingot init --production`.')
  const dir = singleArgument(positionals, 'init', 'DIR')
  // The path usually does not exist, so the name is free. Any other error appears again when the folder is created.
  const info = await stat(dir).catch(() => null)
  if (info !== null && !info.isDirectory())
    throw new UsageError(`'${dir}' is not a folder: give a new name, or an empty folder.`)
  const isTerminal = process.stdin.isTTY === true && process.stdout.isTTY === true
  const template = findTemplate(values.template ?? (isTerminal ? await askTemplate() : PLAIN_TEMPLATE))
  const files = templateFiles(template)
  await writeSite(dir, files)
  process.stdout.write(`Wrote ${Object.keys(files).length} files into \`${dir}\`. Next: \`npx ingot dev ${dir}\`.\n`)
  if (template.next !== null) process.stdout.write(`${template.next.replace('DIR', dir)}\n`)
  return 0
}

/** Asks for the name or number of a template until the answer is one. @throws UsageError when it is interrupted */
async function askTemplate(): Promise<string> {
  const names = Object.keys(TEMPLATES)
  const [first = PLAIN_TEMPLATE] = names
  const rows = Object.entries(TEMPLATES).map(([name, { does }], at) => `  ${at + 1}  ${name.padEnd(9)}${does}\n`)
  const lines = createInterface({ input: process.stdin, output: process.stdout })
  const stop = new AbortController()
  lines.once('SIGINT', () => stop.abort())
  lines.once('close', () => stop.abort())
  process.stdout.write(`Which template?\n${rows.join('')}`)
  try {
    for (;;) {
      const answer = (await lines.question(`Name or number (${first}): `, { signal: stop.signal })).trim()
      if (answer === '') return first
      const name = names[Number(answer) - 1] ?? answer.toLowerCase()
      try {
        findTemplate(name)
        return name
      } catch (error) {
        if (!(error instanceof UsageError)) throw error
        process.stdout.write(`${error.message}\n`)
      }
    }
  } catch (error) {
    if (!stop.signal.aborted) throw error
    process.stdout.write('\n')
    throw new UsageError('No template was chosen. Nothing was written.')
  } finally {
    lines.close()
  }
}
