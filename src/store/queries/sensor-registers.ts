/** The last heartbeat of each sensor, in queries that work on every engine. */
import type { Kysely } from 'kysely'
import { checkedText } from '../tables/encode.ts'
import { checkedLimit } from './limit.ts'
import type { Databases } from './registers.ts'
import type { SensorColumns, Tables } from '../tables/schema.ts'
import { sensorsMax, type SensorRecord, type Store } from '../store.ts'

/** Rows per statement, so that every engine accepts the number of parameters. */
const rowsPerStatement = 500
/** SQLite has no offset without a limit; no more rows exceed the limit than arrive at once. */
const rowsBeyondMax = 1_000_000

export function createSensorRegisters({ reader, writer }: Databases): Pick<Store, 'putSensors' | 'listSensors'> {
  return {
    putSensors: async (sensors) => {
      // Rows are locked in a fixed order, so that two instances cannot deadlock.
      const rows = sensors.map(toRow).toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1))
      for (let at = 0; at < rows.length; at += rowsPerStatement)
        await put(writer, rows.slice(at, at + rowsPerStatement))
      for (const workspaceId of new Set(rows.map((row) => row.workspace_id))) await forgetOldest(writer, workspaceId)
    },
    listSensors: async ({ workspaceId, limit }) => {
      const fair = inTurn(reader, workspaceId).selectAll().limit(checkedLimit(limit))
      const rows = reader.selectFrom(fair.as('fair')).selectAll()
      const newest = rows.orderBy('last_seen_at', 'desc').orderBy('lineage_id').orderBy('sensor_id')
      return (await newest.execute()).map(toSensor)
    }
  }
}

/** Deletes sensors without a heartbeat since a time. */
export async function forgetSensors(writer: Kysely<Tables>, before: number): Promise<void> {
  await writer.deleteFrom('sensors').where('last_seen_at', '<', before).execute()
}

const keyOf = (row: SensorColumns): string => JSON.stringify([row.workspace_id, row.lineage_id, row.sensor_id])

async function put(writer: Kysely<Tables>, rows: readonly SensorColumns[]): Promise<void> {
  await writer
    .insertInto('sensors')
    .values(rows)
    .onConflict((conflict) =>
      conflict
        .columns(['workspace_id', 'lineage_id', 'sensor_id'])
        .doUpdateSet((row) => ({
          token_id: row.ref('excluded.token_id'),
          last_seen_at: row.ref('excluded.last_seen_at'),
          report: row.ref('excluded.report')
        }))
        .whereRef('excluded.last_seen_at', '>=', 'sensors.last_seen_at')
    )
    .execute()
}

/**
 * The sensors of a workspace: the newest of each token lineage first, then the second newest of each, and so on. A
 * token can report any number of sensors, which must not displace those of other tokens, least of all sensors that have
 * fallen silent.
 */
function inTurn(db: Kysely<Tables>, workspaceId: string) {
  const ranked = db
    .selectFrom('sensors')
    .selectAll()
    .select(({ fn }) =>
      fn
        .agg<number>('row_number')
        .over((over) => over.partitionBy('lineage_id').orderBy('last_seen_at', 'desc').orderBy('sensor_id'))
        .as('place')
    )
    .where('workspace_id', '=', workspaceId)
  return db.selectFrom(ranked.as('ranked')).orderBy('place').orderBy('last_seen_at', 'desc').orderBy('lineage_id')
}

/** Deletes the sensors beyond the limit, starting with the oldest of the lineages that have the most. */
async function forgetOldest(writer: Kysely<Tables>, workspaceId: string): Promise<void> {
  const ofWorkspace = writer.selectFrom('sensors').select('sensor_id').where('workspace_id', '=', workspaceId)
  if ((await ofWorkspace.limit(1).offset(sensorsMax).executeTakeFirst()) === undefined) return
  const beyond = inTurn(writer, workspaceId).select(['lineage_id', 'sensor_id']).limit(rowsBeyondMax).offset(sensorsMax)
  await writer
    .deleteFrom('sensors')
    .where('workspace_id', '=', workspaceId)
    .where(({ eb, refTuple }) =>
      eb(refTuple('lineage_id', 'sensor_id'), 'in', beyond.$asTuple('lineage_id', 'sensor_id'))
    )
    .execute()
}

const toRow = (sensor: SensorRecord): SensorColumns => ({
  workspace_id: sensor.workspaceId,
  lineage_id: sensor.lineageId,
  sensor_id: checkedText(sensor.sensorId),
  token_id: sensor.tokenId,
  first_seen_at: sensor.lastSeenAt,
  last_seen_at: sensor.lastSeenAt,
  report: checkedText(JSON.stringify(sensor.report))
})

const toSensor = (row: SensorColumns): SensorRecord & { readonly firstSeenAt: number } => ({
  workspaceId: row.workspace_id,
  lineageId: row.lineage_id,
  sensorId: row.sensor_id,
  tokenId: row.token_id,
  firstSeenAt: row.first_seen_at,
  lastSeenAt: row.last_seen_at,
  report: JSON.parse(row.report) as SensorRecord['report']
})
