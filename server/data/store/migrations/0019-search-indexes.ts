/**
 * Faster search indexes: words are stored once for each statement, parts of words are found by an index, and values compare by their mapped
 * types.
 */
import { raw } from '../../../../runtime/data/sql/sql.ts'

export const sql = raw`
-- Transactions do not wait for each other's words: each stores the word, and the purge removes duplicates.
alter table ingot.document_words drop constraint document_words_pkey;
create index document_words_word on ingot.document_words (word);

create or replace function ingot.document_written() returns trigger language plpgsql as $$
begin
  new.words := jsonb_to_tsvector('simple', new.document, '["string"]');
  return new;
end
$$;

create function ingot.documents_written() returns trigger language plpgsql as $$
begin
  -- Longer words are not searched by their parts.
  insert into ingot.document_words (word, grams)
    select w, ingot.grams(w) from (select distinct unnest(tsvector_to_array(words)) as w from written) said
    where length(w) <= 100 and not exists (select from ingot.document_words known where known.word = w);
  return null;
end
$$;
create trigger noted_new after insert on ingot.documents referencing new table as written
  for each statement execute function ingot.documents_written();
create trigger noted_changed after update on ingot.documents referencing new table as written
  for each statement execute function ingot.documents_written();

-- The trigrams inside of a part of a word, and at its end when the word ends with it.
create function ingot.grams_within(part text, ends boolean) returns text[] language sql immutable strict parallel safe as $$
  select coalesce(array_agg(distinct substr(padded, n, 3)), '{}')
  from (select part || case when ends then ' ' else '' end as padded) p, generate_series(1, length(padded) - 2) n
$$;

create or replace function ingot.document_query(keyword text, match text, any_word boolean) returns tsquery language plpgsql stable as $$
declare
  wanted text;
  own text[];
  rare text[];
  inner_grams text[];
  size int;
  found text[];
  parts text[] := '{}';
begin
  foreach wanted in array (tsvector_to_array(to_tsvector('simple', keyword)))[1:32] loop
    found := '{}';
    if match in ('CONTAINS', 'ENDS_WITH') then
      inner_grams := ingot.grams_within(wanted, match = 'ENDS_WITH');
      -- A part of one or two letters has no trigram, so all words are searched.
      if cardinality(inner_grams) > 0 then
        found := array(
          select distinct word collate "C" from ingot.document_words
          where grams @> inner_grams and case match when 'CONTAINS' then position(wanted in word) > 0 else right(word, length(wanted)) = wanted end
          limit 100000);
      else
        found := array(
          select distinct word collate "C" from ingot.document_words
          where case match when 'CONTAINS' then position(wanted in word) > 0 else right(word, length(wanted)) = wanted end
          limit 100000);
      end if;
      found := array(select w from unnest(found) w order by length(w), w limit 1000);
    elsif match = 'FUZZY' then
      own := ingot.grams(wanted);
      size := cardinality(own);
      -- A similar word has at least 4 of 10 of these trigrams, so it has one of the rarest of them. The beginning is omitted first, because
      -- most
      -- words share it.
      rare := array(select g from unnest(own) g order by g like ' %', g limit size - ceil(0.4 * size)::int + 1);
      found := array(
        select word from (
          select distinct word, common, total from (
            select w.word, (select count(*) from unnest(w.grams) g where g = any(own))::real as common, cardinality(w.grams) as total
            from ingot.document_words w
            where w.grams && rare and cardinality(w.grams) between 0.4 * size and size / 0.4
          ) near
        ) each
        where common / (total + size - common) >= 0.4
        order by common / (total + size - common) desc, word limit 1000);
    end if;
    parts := parts || (
      select '(' || string_agg(
        '''' || replace(replace(w, '\\', '\\\\'), '''', '''''') || '''' || case match when 'STARTS_WITH' then ':*' else '' end,
        ' | ') || ')'
      from unnest(case when cardinality(found) > 0 then found else array[wanted] end) w);
  end loop;
  if cardinality(parts) = 0 then return '!'' '''::tsquery; end if;
  return array_to_string(parts, case when any_word then ' | ' else ' & ' end)::tsquery;
end
$$;
-- A value of a document as the number that it is compared as. \`number\`: numbers and texts that contain one. \`time\`: seconds since 1970,
-- from
-- texts in ISO 8601 (in UTC without a zone) and from numbers. \`boolean\`: 1 and 0. Null for other values. It never fails, because indexes
-- use it.
create function ingot.document_number(value jsonb, kind text) returns numeric language plpgsql immutable parallel safe as $$
declare
  said text;
  part text[];
begin
  case jsonb_typeof(value)
    when 'number' then return case when kind <> 'boolean' then value::numeric when value = '1' then 1 when value = '0' then 0 end;
    when 'boolean' then return case when kind = 'boolean' then case when value::boolean then 1 else 0 end end;
    when 'string' then said := btrim(value #>> '{}');
    else return null;
  end case;
  if kind = 'boolean' then
    return case lower(said) when 'true' then 1 when 't' then 1 when '1' then 1 when 'false' then 0 when 'f' then 0 when '0' then 0 end;
  end if;
  if said ~ '^[-+]?[0-9]{1,255}([.][0-9]{0,255})?([eE][-+]?[0-9]{1,2})?$' then return said::numeric; end if;
  if kind <> 'time' then return null; end if;
  part := regexp_match(said,
    '^([0-9]{4})-(0[1-9]|1[0-2])-(0[1-9]|[12][0-9]|3[01])' ||
    '(?:[T ]([01][0-9]|2[0-4])(?::([0-5][0-9])(?::([0-5][0-9]|60)(?:[.,]([0-9]{1,9}))?)?)? ?(Z|UTC|([-+])([0-9]{2}):?([0-9]{2})?)?)?$', 'i');
  if part is null or part[1] = '0000' then return null; end if;
  return (make_date(part[1]::int, part[2]::int, 1) - date '1970-01-01' + part[3]::int - 1)::numeric * 86400
    + coalesce(part[4]::int, 0) * 3600 + coalesce(part[5]::int, 0) * 60 + coalesce(part[6]::int, 0)
    + coalesce(('0.' || part[7])::numeric, 0)
    - case when part[9] is null then 0 when part[9] = '-' then -1 else 1 end
      * (coalesce(part[10]::int, 0) * 3600 + coalesce(part[11]::int, 0) * 60);
end
$$;

-- The minimum or maximum of the values at a path.
create function ingot.document_edge(document jsonb, place jsonpath, kind text, most boolean) returns numeric
language plpgsql immutable parallel safe as $$
declare
  found jsonb := jsonb_path_query_array(document, place);
begin
  case jsonb_array_length(found)
    when 0 then return null;
    when 1 then return ingot.document_number(found -> 0, kind);
    else return (
      select case when most then max(n) else min(n) end
      from jsonb_array_elements(found) v, ingot.document_number(v, kind) n);
  end case;
end
$$;

-- All values at a path as numbers.
create function ingot.document_numbers(document jsonb, place jsonpath, kind text) returns numeric[]
language sql immutable parallel safe as $$
  select coalesce(array_agg(n), '{}') from jsonb_path_query(document, place) v, ingot.document_number(v, kind) n where n is not null
$$;

-- A document without the values at a path, which extends through lists.
create function ingot.document_without(document jsonb, place text[]) returns jsonb language plpgsql immutable parallel safe as $$
begin
  if jsonb_typeof(document) = 'array' then
    return (select coalesce(jsonb_agg(ingot.document_without(v, place) order by n), '[]') from jsonb_array_elements(document) with ordinality l(v, n));
  elsif jsonb_typeof(document) <> 'object' or not document ? place[1] then
    return document;
  elsif cardinality(place) = 1 then
    return document - place[1];
  end if;
  return jsonb_set(document, place[1:1], ingot.document_without(document -> place[1], place[2:]));
end
$$;
`
