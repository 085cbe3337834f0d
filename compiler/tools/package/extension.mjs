// Packs the VS Code extension (VSIX): the manifest and grammars of compiler/tools/service/vscode, and the bundles of the extension and the
// language server. `node build.mjs vsix` calls it.
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { addLicences } from './contents.mjs'
import { ESM } from './esm.mjs'

/**
 * @typedef {object} ExtensionManifest
 * @property {string} name
 * @property {string} displayName
 * @property {string} description
 * @property {string} version
 * @property {string} publisher
 * @property {{ vscode: string }} engines
 * @property {readonly string[]} categories
 * @property {readonly string[]} keywords
 * @property {string} icon path of a PNG of 128 by 128 pixels
 */

/** Files that are copied unchanged. */
const COPIED_FILES = ['package.json', 'README.md', 'language-configuration.json', 'media', 'snippets', 'syntaxes']

/** Content types of the files in the archive, by extension. */
const TYPES = {
  json: 'application/json',
  md: 'text/markdown',
  png: 'image/png',
  cjs: 'application/javascript',
  mjs: 'application/javascript',
  txt: 'text/plain',
  vsixmanifest: 'text/xml',
}

/**
 * Writes the archive atomically.
 * @param {object} tools
 * @param {string} tools.root the project's folder
 * @param {string} tools.to path of the archive
 * @param {typeof import('esbuild').build} tools.bundle
 * @param {(files: readonly { name: string, from: string }[], to: string) => Promise<void>} tools.writeZip
 */
export async function packExtension({ root, to, bundle, writeZip }) {
  const draft = mkdtempSync(join(tmpdir(), 'ingot-vsix-'))
  try {
    await fillExtension({ root, folder: join(draft, 'extension'), bundle })
    const manifest = JSON.parse(readFileSync(join(draft, 'extension', 'package.json'), 'utf8'))
    writeFileSync(join(draft, 'extension.vsixmanifest'), vsixManifest(manifest))
    writeFileSync(join(draft, '[Content_Types].xml'), contentTypes())
    const archive = join(draft, 'extension.vsix')
    await writeZip(filesBelow(draft), archive)
    // The target is replaced only by a complete archive. The draft may be on another disk, so it is copied first.
    cpSync(archive, `${to}.${process.pid}.tmp`)
    renameSync(`${to}.${process.pid}.tmp`, to)
  } finally {
    rmSync(draft, { recursive: true, force: true })
  }
}

/**
 * Writes all files of the extension's folder.
 * @param {object} made
 * @param {string} made.root
 * @param {string} made.folder must not exist yet
 * @param {typeof import('esbuild').build} made.bundle
 */
async function fillExtension({ root, folder, bundle }) {
  const source = join(root, 'compiler', 'tools', 'service', 'vscode')
  mkdirSync(folder, { recursive: true })
  for (const name of COPIED_FILES) cpSync(join(source, name), join(folder, name), { recursive: true })
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE.txt'))
  /** @type {import('esbuild').BuildOptions & { metafile: true }} */
  const options = {
    absWorkingDir: root,
    bundle: true,
    platform: 'node',
    target: 'node20',
    minify: true,
    keepNames: true,
    preserveSymlinks: true,
    alias: ESM,
    metafile: true,
    logLevel: 'error',
  }
  const client = await bundle({
    ...options,
    entryPoints: [join(source, 'extension.mjs')],
    outfile: join(folder, 'extension.cjs'),
    format: 'cjs',
    external: ['vscode'],
  })
  const server = await bundle({
    ...options,
    entryPoints: [join(root, 'compiler/commands/lsp-server.mjs')],
    outfile: join(folder, 'server', 'server.mjs'),
    format: 'esm',
    banner: {
      js: "import { createRequire as $createRequire } from 'node:module'\nconst require = $createRequire(import.meta.url)",
    },
  })
  addLicences(root, folder, [...new Set([client, server].flatMap(packagesIn))])
}

/**
 * @param {{ metafile: import('esbuild').Metafile }} built
 * @returns {readonly string[]} the folders of the packages with code in a bundle
 */
function packagesIn({ metafile: { outputs } }) {
  const held = Object.values(outputs).flatMap(({ inputs }) =>
    Object.entries(inputs).flatMap(([file, { bytesInOutput }]) => (bytesInOutput > 0 ? [file] : [])),
  )
  return [...new Set(held.flatMap((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0] ?? []))]
}

/**
 * @param {string} folder
 * @returns {readonly { name: string, from: string }[]}
 */
function filesBelow(folder) {
  const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
  return entries
    .filter((entry) => entry.isFile() && existsSync(join(entry.parentPath, entry.name)))
    .map((entry) => join(entry.parentPath, entry.name))
    .toSorted()
    .map((from) => ({ name: from.slice(folder.length + 1).replaceAll('\\', '/'), from }))
}

function contentTypes() {
  const rows = Object.entries(TYPES).map(([ending, type]) => `<Default Extension=".${ending}" ContentType="${type}"/>`)
  return `<?xml version="1.0" encoding="utf-8"?>\n<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types">${rows.join('')}</Types>\n`
}

/** @param {string} text */
const escaped = (text) => text.replace(/[&<>"]/g, (sign) => `&#${sign.charCodeAt(0)};`)

/** @param {ExtensionManifest} manifest */
function vsixManifest({ name, displayName, description, version, publisher, engines, categories, keywords, icon }) {
  return `<?xml version="1.0" encoding="utf-8"?>
<PackageManifest Version="2.0.0" xmlns="http://schemas.microsoft.com/developer/vsx-schema/2011" xmlns:d="http://schemas.microsoft.com/developer/vsx-schema-design/2011">
  <Metadata>
    <Identity Language="en-US" Id="${escaped(name)}" Version="${escaped(version)}" Publisher="${escaped(publisher)}"/>
    <DisplayName>${escaped(displayName)}</DisplayName>
    <Description xml:space="preserve">${escaped(description)}</Description>
    <Tags>${escaped(keywords.join(','))}</Tags>
    <Categories>${escaped(categories.join(','))}</Categories>
    <Properties>
      <Property Id="Microsoft.VisualStudio.Code.Engine" Value="${escaped(engines.vscode)}"/>
      <Property Id="Microsoft.VisualStudio.Code.ExtensionKind" Value="workspace"/>
    </Properties>
    <License>extension/LICENSE.txt</License>
    <Icon>extension/${escaped(icon)}</Icon>
  </Metadata>
  <Installation><InstallationTarget Id="Microsoft.VisualStudio.Code"/></Installation>
  <Dependencies/>
  <Assets>
    <Asset Type="Microsoft.VisualStudio.Code.Manifest" Path="extension/package.json" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.Details" Path="extension/README.md" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Content.License" Path="extension/LICENSE.txt" Addressable="true"/>
    <Asset Type="Microsoft.VisualStudio.Services.Icons.Default" Path="extension/${escaped(icon)}" Addressable="true"/>
  </Assets>
</PackageManifest>
`
}
