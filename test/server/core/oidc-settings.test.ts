/** The variables of OpenID Connect providers: what they mean, and which sentence an invalid one gets. */
import { describe, expect, test } from 'vitest'
import { readSettings } from '../../../server/core/settings.ts'

const GOOD = { INGOT_OIDC_OKTA_ISSUER: 'https://login.example', INGOT_OIDC_OKTA_CLIENT_ID: 'kitchen' }
const read = (variables: Readonly<Record<string, string>>, environment: 'production' | 'development' = 'production') =>
  readSettings({ INGOT_ENV: environment, ...variables }, 'production').oidcProviders

describe('providers', () => {
  test('are none without variables', () => {
    expect(read({})).toEqual([])
    expect(read({ INGOT_OIDC_OKTA_ISSUER: '' })).toEqual([])
  })

  test('have safe defaults', () => {
    expect(read(GOOD)).toEqual([
      {
        name: 'okta',
        issuer: 'https://login.example',
        clientId: 'kitchen',
        clientSecret: null,
        scopes: ['openid', 'email', 'profile'],
        trustsEmail: false,
        responseMode: 'query',
      },
    ])
  })

  test('are as many as are named, in the order of their names', () => {
    const many = {
      ...GOOD,
      INGOT_OIDC_OKTA_CLIENT_SECRET: 'x',
      INGOT_OIDC_OKTA_SCOPES: 'email  openid groups:read',
      INGOT_OIDC_OKTA_TRUST_EMAIL: 'on',
      INGOT_OIDC_MY_CLIENT_ID_ISSUER: 'https://other.example/realms/x/',
      INGOT_OIDC_MY_CLIENT_ID_CLIENT_ID: 'y',
      INGOT_OIDC_MY_CLIENT_ID_RESPONSE_MODE: 'form_post',
    }
    expect(read(many)).toMatchObject([
      { name: 'my_client_id', issuer: 'https://other.example/realms/x/', responseMode: 'form_post' },
      { name: 'okta', clientSecret: 'x', scopes: ['openid', 'email', 'groups:read'], trustsEmail: true },
    ])
  })

  test.each(['http://localhost:8080', 'http://127.0.0.1:9', 'http://[::1]/realm'])(
    'may be at %s only outside of production',
    (issuer) => {
      expect(read({ ...GOOD, INGOT_OIDC_OKTA_ISSUER: issuer }, 'development')).toMatchObject([{ issuer }])
      expect(() => read({ ...GOOD, INGOT_OIDC_OKTA_ISSUER: issuer })).toThrow('give an https address without a query')
    },
  )
})

describe('an invalid variable', () => {
  test.each([
    ['INGOT_OIDC_OKTA_ISSUER', 'http://login.example'],
    ['INGOT_OIDC_OKTA_ISSUER', 'http://127.0.0.1.evil.example'],
    ['INGOT_OIDC_OKTA_ISSUER', 'http://localhost.evil.example'],
    ['INGOT_OIDC_OKTA_ISSUER', 'https://a:b@login.example'],
    ['INGOT_OIDC_OKTA_ISSUER', 'https://login.example?x'],
    ['INGOT_OIDC_OKTA_ISSUER', 'https://login.example#x'],
    ['INGOT_OIDC_OKTA_ISSUER', 'login.example'],
    ['INGOT_OIDC_OKTA_ISSUER', 'file:///etc/passwd'],
    ['INGOT_OIDC_OKTA_CLIENT_ID', 'a b'],
    ['INGOT_OIDC_OKTA_SCOPES', 'a"b'],
    ['INGOT_OIDC_OKTA_TRUST_EMAIL', 'yes'],
    ['INGOT_OIDC_OKTA_RESPONSE_MODE', 'fragment'],
  ])('%s=%s is named', (name, value) => {
    expect(() => read({ ...GOOD, [name]: value }, 'development')).toThrow(
      `The variable ${name} cannot be '${value}': give `,
    )
  })

  test('shows no secret', () => {
    const name = 'INGOT_OIDC_OKTA_CLIENT_SECRET'
    expect(() => read({ ...GOOD, [name]: 'a secret\u0007' })).toThrow(
      `The variable ${name} cannot be its current value: give `,
    )
  })

  test('that is missing is named', () => {
    expect(() => read({ INGOT_OIDC_OKTA_CLIENT_SECRET: 'x' })).toThrow(
      'The provider okta needs INGOT_OIDC_OKTA_ISSUER: give an https',
    )
    expect(() => read({ INGOT_OIDC_OKTA_ISSUER: 'https://x.example' })).toThrow(
      'The provider okta needs INGOT_OIDC_OKTA_CLIENT_ID: ',
    )
  })

  test.each([
    'INGOT_OIDC_OKTA',
    'INGOT_OIDC_ISSUER',
    'INGOT_OIDC_OKTA_ISUER',
    'INGOT_OIDC_okta_ISSUER',
    'INGOT_OIDC_1_ISSUER',
    'INGOT_OIDC___ISSUER',
    `INGOT_OIDC_${'A'.repeat(41)}_ISSUER`,
  ])('%s is not known', (name) => {
    expect(() => read({ ...GOOD, [name]: 'x' })).toThrow(
      `The variable ${name} is not known: write INGOT_OIDC_, the name`,
    )
  })

  test('names no provider `failure`, whose address is that of the page about failures', () => {
    expect(() => read({ INGOT_OIDC_FAILURE_ISSUER: 'https://x.example' })).toThrow('give it another name')
  })
})
