/** Upload properties by GraphQL: leave to send a file, the file sent for real, its address stored, read and signed. */
import { randomBytes } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pino from 'pino'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { DataSchema, PropertyDef } from '../../../runtime/compiled.ts'
import { execute, planOperation } from '../../../runtime/query/index.ts'
