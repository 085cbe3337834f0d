// Adds the rest of the npm package to the bundles: types and a CommonJS wrapper of each entry, and the licenses of bundled packages. `node
// build.mjs pack` calls it, which npm runs before it packs.
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, dirname, join, relative, sep } from 'node:path'
import { filesIn } from '../generate/files-in.mjs'
import { BUNDLED_LICENSES } from './supply.mjs'

/**
 * An entry of the package: `ingot/runtime` is `runtime`, built from `runtime/index.ts`.
 * @typedef {object} Entry
 * @property {string} name of its files in dist/
 * @property {string} source path from the project's folder
 */

/**
 * Adds everything to the bundles.
 * @param {object} built
 * @param {string} built.root the project's folder
 * @param {string} built.next the folder that becomes dist/
 * @param {Readonly<Record<string, string>>} built.bundles sources by name
 * @param {readonly string[]} built.packages folders of the packages with bundled code
 */
export async function complete({ root, next, bundles, packages }) {
  const entries = entriesOf(root, bundles)
  await addTypes(root, next, entries)
  addCommonJs(next, entries)
  addLicences(root, next, packages)
  addTemplates(root, next)
}

/**
 * Adds the files of the templates as one file. As single files they would take seven times the space on the disk.
 * @param {string} root
 * @param {string} next
 */
function addTemplates(root, next) {
  const folder = join(root, 'fixtures', 'templates')
  const names = readdirSync(folder, { withFileTypes: true }).flatMap((entry) =>
    entry.isDirectory() ? [entry.name] : [],
  )
  const templates = names.map((name) => [name, filesIn(join(folder, name))])
  writeFileSync(join(next, 'templates.json'), JSON.stringify(Object.fromEntries(templates)))
}

/**
 * Returns the entries that the manifest declares.
 * @param {string} root
 * @param {Readonly<Record<string, string>>} bundles
 * @returns {readonly Entry[]}
 */
function entriesOf(root, bundles) {
  /** @type {{ exports: Readonly<Record<string, string | { import: { default: string } }>> }} */
  const { exports } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  return Object.values(exports).flatMap((entry) => {
    if (typeof entry === 'string') return []
    const name = basename(entry.import.default, '.mjs')
    const source = bundles[name]
    if (source === undefined)
      throw new Error(`package.json names '${entry.import.default}', but no bundle has that name`)
    return [{ name, source }]
  })
}

/** @param {string} text */
const slashed = (text) => text.split(sep).join('/')

/**
 * Writes one declaration file for each entry. A type shared by several entries is declared by one and imported by the others, so that it is
 * the same type.
 * @param {string} root the project's folder
 * @param {string} next the folder that becomes dist/
 * @param {readonly Entry[]} entries
 */
async function addTypes(root, next, entries) {
  const [{ rollup }, { dts }] = await Promise.all([import('rollup'), import('rollup-plugin-dts')])
  const declare = dts({
    tsconfig: join(root, 'tsconfig.json'),
    compilerOptions: { noEmit: false, declaration: true },
    // Types of bundled packages are included like their code.
    respectExternal: true,
  })
  // All entries share one TypeScript program. Parsing the sources takes most of the time.
  const read = /** @type {(given: import('rollup').InputOptions) => import('rollup').InputOptions} */ (
    /** @type {unknown} */ (declare.options)
  )
  const { input: _, ...how } = read({ input: entries.map(({ source }) => join(root, source)) })
  for (const { name, source } of entries) {
    const declarations = await rollup({
      input: join(root, source),
      plugins: [
        {
          name: 'declared-elsewhere',
          async resolveId(target, importer) {
            if (importer === undefined) return null
            const found = await this.resolve(target, importer, { skipSelf: true })
            const path = found === null ? '' : slashed(relative(root, found.id))
            const home = /^(?:compiler|runtime)\//.test(path) ? homeOf(path, source, entries) : name
            return home === name ? null : { id: `./${home}.mjs`, external: true }
          },
        },
        { ...declare, options: (given) => ({ ...given, ...how }) },
      ],
      external: (id) => id.startsWith('node:'),
      onwarn(warning) {
        throw new Error(`The types of '${source}' cannot be rolled up: ${warning.message}`)
      },
    })
    const { output } = await declarations.generate({ format: 'es' })
    await declarations.close()
    const [{ code, imports }] = output
    // The package must not depend on other types, not even Node's.
    const others = imports.filter((id) => !entries.some((entry) => id === `./${entry.name}.mjs`))
    if (others.length > 0) throw new Error(`The types of '${source}' need ${others.join(', ')}`)
    // The declarations of both module formats are the same, so only one file contains them.
    writeFileSync(join(next, `${name}.d.mts`), `export * from './${name}.cjs'\n`)
    writeFileSync(join(next, `${name}.d.cts`), code.replaceAll(/(["']\.\/[\w-]+)\.mjs(["'])/g, '$1.cjs$2'))
  }
}

/**
 * Returns the name of the entry that declares the exports of a file. It is the entry built from that file. Otherwise it is the asking entry
 * if the file is below it, then the nearest entry above the file, then the main entry of its wing.
 * @param {string} path from the project's folder
 * @param {string} importer source of the entry that needs the types
 * @param {readonly Entry[]} entries
 */
function homeOf(path, importer, entries) {
  const above = entries.filter(({ source }) => path.startsWith(`${dirname(source)}/`))
  above.sort((a, b) => b.source.length - a.source.length)
  const wing = entries.filter(({ source }) => path.split('/')[0] === source.split('/')[0])
  wing.sort((a, b) => a.source.length - b.source.length)
  const home =
    above.find(({ source }) => source === path) ??
    above.find(({ source }) => source === importer) ??
    above[0] ??
    wing[0]
  if (home === undefined) throw new Error(`no entry declares the exports of '${path}'`)
  return home.name
}

/**
 * Writes the files that `require` loads. They load the same ES module, so that each class exists once.
 * @param {string} next
 * @param {readonly Entry[]} entries
 */
function addCommonJs(next, entries) {
  for (const { name } of entries)
    writeFileSync(join(next, `${name}.cjs`), `'use strict'\nmodule.exports = require('./${name}.mjs')\n`)
}

/** A line of a license with a copyright notice. */
const COPYRIGHT = /^\s*(?:\(c\)|copyright (?:\(c\)|©|[\d{(])|©)/i

/**
 * Writes the licenses of all packages with bundled code, grouped by license text.
 * @param {string} root
 * @param {string} next
 * @param {readonly string[]} folders folders of the packages, from the project's folder
 */
export function addLicences(root, next, folders) {
  /** @type {Map<string, { terms: string, packages: string[] }>} packages with the same terms, apart from copyright notices and white space */
  const sections = new Map()
  for (const folder of new Set(folders)) {
    /** @type {{ name: string, version: string, license?: string, author?: string | { name: string } }} */
    const { name, version, license, author } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'))
    // A license with alternatives (`OR`) allows a choice.
    const licenseChoices = (license ?? '').replace(/^\(|\)$/g, '').split(' OR ')
    if (!licenseChoices.some((each) => BUNDLED_LICENSES.has(each))) {
      throw new Error(`'${folder}' is bundled, but its license (${license ?? 'none'}) is not known to allow that`)
    }
    const copyrightHolder = typeof author === 'object' ? author.name : author
    const texts = readdirSync(join(root, folder))
      .filter((file) => /^(?:licen[cs]e|copying|notice|thirdpartynotices)\b/i.test(file))
      .map((file) => readFileSync(join(root, folder, file), 'utf8').trim())
    const text =
      texts.length > 0 ? texts.join('\n\n') : `Licence: ${license}${copyrightHolder ? `, by ${copyrightHolder}` : ''}`
    const notices = text.split('\n').filter((line) => COPYRIGHT.test(line))
    const terms = text.split('\n').filter((line) => !COPYRIGHT.test(line))
    const key = terms.join(' ').replace(/\s+/g, ' ').trim()
    const section = sections.get(key) ?? {
      terms: terms
        .join('\n')
        .replace(/\n{3,}/g, '\n\n')
        .trim(),
      packages: [],
    }
    section.packages.push([`${name} ${version} (${license})`, ...notices.map((line) => `  ${line.trim()}`)].join('\n'))
    sections.set(key, section)
  }
  const written = [...sections.values()]
    .map(({ packages, terms }) => `${[...packages].sort().join('\n')}\n\n${terms}\n`)
    .sort()
    .map((text) => `${'='.repeat(78)}\n${text}`)
  const head =
    "Ingot's bundles contain code of the packages below, each under the licence that follows its name and notices.\n"
  writeFileSync(join(next, 'THIRD-PARTY.txt'), [head, ...written].join('\n'))
}
