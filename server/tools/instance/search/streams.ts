/** The streams that can be searched, with the columns that the client's pages use. */
import { sql } from '../../../../runtime/data/sql/sql.ts'
import type { Source } from './plan.ts'

/** Time in microseconds. The last digits come from the id, so that all entries have different times. */
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

/** Columns have the names that a load balancer uses. There is none here, so its time and the server's time are the same. */
const REQUESTS: Source = {
  name: 'requests',
  columns: {
    _timestamp: 'number',
    http_request_url: 'text',
    http_request_path: 'text',
    http_request_method: 'text',
    http_request_protocol: 'text',
    lb_status_code: 'number',
    target_status_code: 'number',
    client: 'text',
    user_agent: 'text',
    request_processing_time: 'number',
    target_processing_time: 'number',
    sent_bytes: 'number',
  },
  rows: sql`
    select (floor(extract(epoch from at) * 1000) * 1000 + id % 1000)::double precision as _timestamp,
      origin || path as http_request_url, path as http_request_path, method as http_request_method,
      'HTTP/1.1' as http_request_protocol, status::double precision as lb_status_code,
      status::double precision as target_status_code, ip as client, agent as user_agent,
      0::double precision as request_processing_time, seconds as target_processing_time,
      coalesce(bytes, 0)::double precision as sent_bytes
    from ingot.requests`,
}

export const STREAMS: readonly Source[] = [LOGS, REQUESTS]
