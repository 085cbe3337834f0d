/** The streams that can be searched, with the columns that the client's screens ask for. */
import { sql } from '../../../runtime/data/sql/sql.ts'
import type { Source } from './plan.ts'

/** Microseconds; the last digits are those of the id, so that no two entries have one time. */
const LOGS: Source = {
  name: 'logs',
  columns: {
    _timestamp: 'number',
    id: 'number',
    type: 'text',
    message: 'text',
    options_at: 'number',
    options_data_url: 'text',
    options_data_page: 'text',
    options_data_partial: 'text',
    options_data_user_id: 'text',
    options_data_user_email: 'text',
  },
  rows: sql`
    select (floor(extract(epoch from created_at) * 1000) * 1000 + id % 1000)::double precision as _timestamp,
      id::double precision as id, type, message,
      (extract(epoch from created_at) * 1000000)::double precision as options_at,
      coalesce(data->>'url', data->'context'->>'url') as options_data_url,
      data->>'page' as options_data_page,
      data->>'partial' as options_data_partial,
      coalesce(data->'user', data->'context'->'user')->>'id' as options_data_user_id,
      coalesce(data->'user', data->'context'->'user')->>'email' as options_data_user_email
    from ingot.logs`,
}

export const STREAMS: readonly Source[] = [LOGS]
