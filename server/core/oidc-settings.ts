/**
 * The settings of OpenID Connect providers. Each provider has its own variables, `INGOT_OIDC_<NAME>_ISSUER` and so on, whose
 * middle part is the provider's name in capitals.
 */
import * as z from 'zod'
import { StartError } from './start-error.ts'

/** A provider with which visitors can sign in. */
export interface OidcProvider {
  /** The name in addresses, `keycloak` in `/auth/keycloak`, and in `ingot.authentications`. */
  readonly name: string
  /** The URL that identifies the provider, and from which its configuration is discovered. */
  readonly issuer: string
  readonly clientId: string
  /** Null for a public client, which only PKCE protects. */
  readonly clientSecret: string | null
  /** The requested scopes; they contain `openid`. */
  readonly scopes: readonly string[]
  /** Whether an address that the provider has verified signs in the user who has it, and links the identity to this user. */
  readonly trustsEmail: boolean
  /** How the provider sends its response: in the address, or as a form. */
  readonly responseMode: 'query' | 'form_post'
}

const PREFIX = 'INGOT_OIDC_'
const NAME = /^[A-Z][A-Z\d]*(?:_[A-Z\d]+)*$/
const MAX_NAME = 40
/** The path of the page about failures, which no provider can have. */
const TAKEN_NAME = 'FAILURE'
const DEFAULT_SCOPES = 'openid email profile'

const printable = z.string().regex(/^[\x21-\x7e]{1,1000}$/)

/** Each variable of a provider: the end of its name, its schema, and what its value is. */
const VARIABLES = {
  ISSUER: { schema: z.url(), takes: 'an https address without a query, such as https://login.example' },
  CLIENT_ID: { schema: printable, takes: '1 to 1000 printable characters without spaces' },
  CLIENT_SECRET: { schema: z.string().regex(/^[\x20-\x7e]{1,1000}$/), takes: '1 to 1000 printable characters' },
  SCOPES: {
    schema: z.string().regex(/^[\x21\x23-\x5b\x5d-\x7e]+(?: +[\x21\x23-\x5b\x5d-\x7e]+)*$/),
    takes: 'scopes with spaces between them, such as openid email profile',
  },
  TRUST_EMAIL: { schema: z.enum(['on', 'off']), takes: 'on or off' },
  RESPONSE_MODE: { schema: z.enum(['query', 'form_post']), takes: 'query or form_post' },
} as const

type VariableEnd = keyof typeof VARIABLES
const ENDS = Object.keys(VARIABLES) as readonly VariableEnd[]

/**
 * Reads the providers.
 * @param variables the process's environment without empty values
 * @param isProduction an issuer on this machine may then not be reached without encryption
 * @returns the providers, ordered by name
 * @throws StartError that names the invalid or missing variable
 */
export function parseOidcProviders(
  variables: Readonly<Record<string, string | undefined>>,
  isProduction: boolean,
): readonly OidcProvider[] {
  const byName = new Map<string, Map<VariableEnd, string>>()
  for (const [variable, value] of Object.entries(variables)) {
    if (!variable.startsWith(PREFIX) || value === undefined) continue
    const { name, end } = splitName(variable)
    const values = byName.get(name) ?? new Map<VariableEnd, string>()
    byName.set(name, values.set(end, value))
  }
  return [...byName]
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([name, values]) => readProvider(name, values, isProduction))
}

/** @throws StartError for a variable that no provider has */
function splitName(variable: string): { readonly name: string; readonly end: VariableEnd } {
  const rest = variable.slice(PREFIX.length)
  const end = ENDS.find((each) => rest.endsWith(`_${each}`))
  const name = end === undefined ? '' : rest.slice(0, -end.length - 1)
  if (end === undefined || !NAME.test(name) || name.length > MAX_NAME) {
    throw new StartError(
      `The variable ${variable} is not known: write ${PREFIX}, the name of the provider in capitals, and one of _${ENDS.join(', _')}.`,
    )
  }
  if (name === TAKEN_NAME)
    throw new StartError(`The variable ${variable} names a provider 'failure': give it another name.`)
  return { name, end }
}

function readProvider(name: string, values: ReadonlyMap<VariableEnd, string>, isProduction: boolean): OidcProvider {
  const variableOf = (end: VariableEnd): string => `${PREFIX}${name}_${end}`
  const read = (end: VariableEnd): string | null => {
    const value = values.get(end)
    if (value === undefined) return null
    if (VARIABLES[end].schema.safeParse(value).success) return value
    throw refused(variableOf(end), end === 'CLIENT_SECRET' ? 'its current value' : `'${value}'`, VARIABLES[end].takes)
  }
  const required = (end: VariableEnd): string => {
    const value = read(end)
    if (value !== null) return value
    throw new StartError(`The provider ${name.toLowerCase()} needs ${variableOf(end)}: give ${VARIABLES[end].takes}.`)
  }
  const issuer = required('ISSUER')
  checkIssuer(variableOf('ISSUER'), issuer, isProduction)
  return {
    name: name.toLowerCase(),
    issuer,
    clientId: required('CLIENT_ID'),
    clientSecret: read('CLIENT_SECRET'),
    scopes: [...new Set(['openid', ...(read('SCOPES') ?? DEFAULT_SCOPES).split(/ +/)])],
    trustsEmail: read('TRUST_EMAIL') === 'on',
    responseMode: read('RESPONSE_MODE') === 'form_post' ? 'form_post' : 'query',
  }
}

function checkIssuer(variable: string, issuer: string, isProduction: boolean): void {
  const { protocol, hostname, username, password } = new URL(issuer)
  const isPlain = username === '' && password === '' && !/[?#]/.test(issuer)
  const isAllowed = protocol === 'https:' || (protocol === 'http:' && !isProduction && isLoopbackName(hostname))
  if (!isPlain || !isAllowed) throw refused(variable, `'${issuer}'`, VARIABLES.ISSUER.takes)
}

function refused(variable: string, value: string, takes: string): StartError {
  return new StartError(`The variable ${variable} cannot be ${value}: give ${takes}.`)
}

/** Returns whether a host name of a URL is this machine. Only there, an issuer may be reached without encryption. */
export function isLoopbackName(hostname: string): boolean {
  return hostname === 'localhost' || hostname === '[::1]' || /^127(?:\.\d{1,3}){3}$/.test(hostname)
}
