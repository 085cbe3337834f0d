/** Settings of files must be complete or absent, and no message contains a secret. */
import { expect, test } from 'vitest'
import { readSettings } from '../../../../server/core/settings.ts'

const WHOLE = {
  INGOT_S3_ENDPOINT: 'https://s3.example.com/',
  INGOT_S3_BUCKET: 'files',
  INGOT_S3_KEY: 'the-key',
  INGOT_S3_SECRET: 'the-secret',
}

const failure = (variables: Record<string, string>): string => {
  try {
    readSettings(variables, 'production')
    return 'none'
  } catch (error) {
    return error instanceof Error ? error.message : String(error)
  }
}

test('without a store files lie in the data folder', () => {
  expect(readSettings({}, 'production')).toMatchObject({ s3: null, uploadLimit: 25_000_000 })
  expect(readSettings({ INGOT_UPLOAD_LIMIT: '2048' }, 'production').uploadLimit).toBe(2048)
})

test('a store is given whole', () => {
  expect(readSettings({ ...WHOLE, INGOT_S3_PUBLIC_URL: 'https://files.example.com/' }, 'production').s3).toEqual({
    endpoint: 'https://s3.example.com',
    bucket: 'files',
    region: 'us-east-1',
    key: 'the-key',
    secret: 'the-secret',
    publicUrl: 'https://files.example.com',
  })
  for (const name of Object.keys(WHOLE)) {
    const message = failure({ ...WHOLE, [name]: '' })
    expect(message).toContain(`needs ${name}: give all of`)
    expect(message).not.toMatch(/the-secret|the-key/)
  }
})

test.each([
  ['INGOT_S3_ENDPOINT', 'ftp://x', 'give an address'],
  ['INGOT_S3_ENDPOINT', 's3.example.com', 'give an address'],
  ['INGOT_S3_BUCKET', '../x', 'give 3 to 63'],
  ['INGOT_S3_REGION', 'a b', 'give a name'],
  ['INGOT_UPLOAD_LIMIT', '12 MB', 'give a number of bytes'],
  ['INGOT_UPLOAD_LIMIT', '1', 'give a number of bytes'],
])('%s cannot be %j', (name, value, hint) => {
  expect(failure({ ...WHOLE, [name]: value })).toContain(`The variable ${name} cannot be '${value}': ${hint}`)
})
