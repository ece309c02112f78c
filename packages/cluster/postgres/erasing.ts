/** Erasing in PostgreSQL, one function of the database for each slice. Its files keep old rows until it vacuums. */
import type { Journal } from '@/server/store/interfaces'
import { erasedText } from '@/server/store/shared/entryRows'
import { eraseInSlices } from '@/server/store/shared/erasing'
import { SEARCH_VERSION } from '@/server/store/shared/searchTerms'
import type { PostgresConnection } from './connection'

/** p_text: what stands in place of an erased text; p_version: of the search, which is made anew; null: not yet */
export const erasingSql = `
create function erase_entries(p_task text, p_from bigint, p_to bigint, p_text text, p_version integer)
returns bigint language plpgsql as $$
declare v_count bigint; v_lasts bigint[];
begin
  with its as (
    update entry set nonce = '', event = p_text
      where seq between p_from and p_to and (json->>'task' = p_task
        or json->>'type' = 'memory.added' and json#>>'{note,task}' = p_task)
      returning last
  ) select count(*), array_agg(distinct last) into v_count, v_lasts from its;
  update decision set reply = null,
      seal = seal_of('[' || last || ',' || known || ',' || coalesce(until::text, 'null') || ',null]')
    where reply is not null and last = any(v_lasts);
  if p_version is not null then perform search_clear(p_version); end if;
  return v_count;
end $$;
`

export const postgresEraser =
  ({ write }: PostgresConnection): Journal['erase'] =>
  (erased) =>
    eraseInSlices(erased, async (from, to, isLast) => {
      const [row] = await write<{ count: number }>(
        'erase',
        'select erase_entries($1, $2, $3, $4, $5) as count',
        [erased.task, from, to, erasedText(erased.by), isLast ? SEARCH_VERSION : null],
        'again',
      )
      return row?.count ?? 0
    })
