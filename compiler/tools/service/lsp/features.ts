/** The list of the language server's features. */
import type { Connection, ServerCapabilities } from 'vscode-languageserver/node'
import { completion, hover, signatureHelp } from './position-requests.ts'
import { callHierarchy } from './call-hierarchy.ts'
import { semanticTokens } from './semantic-tokens.ts'
import { quickFixes } from './quick-fixes.ts'
import { formatting } from './formatting.ts'
import { codeLens, inlayHints } from './hints.ts'
import { definition, documentHighlight, documentLinks, fileMoves, references, rename } from './names.ts'
import { documentSymbols, folding, workspaceSymbols } from './outline.ts'
import type { Sites } from './sites.ts'

/** Registers the handlers of a feature and returns its capabilities. */
export type Feature = (connection: Connection, sites: Sites) => ServerCapabilities

export const FEATURES: readonly Feature[] = [
  quickFixes,
  completion,
  hover,
  signatureHelp,
  definition,
  references,
  documentHighlight,
  rename,
  fileMoves,
  documentLinks,
  formatting,
  documentSymbols,
  workspaceSymbols,
  folding,
  semanticTokens,
  inlayHints,
  codeLens,
  callHierarchy,
]
