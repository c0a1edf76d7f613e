/** The last heartbeat of each sensor, in queries that work on every engine. */
import type { Kysely } from 'kysely'
import { checkedText } from '../tables/encode.ts'
import { checkedLimit } from './limit.ts'
import type { Databases } from './registers.ts'
import type { SensorColumns, Tables } from '../tables/schema.ts'
import { sensorsMax, type SensorRecord, type Store } from '../store.ts'

/** Rows per statement, so that every engine accepts the number of parameters. */
const rowsPerStatement = 500

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
      const rows = reader.selectFrom('sensors').selectAll().where('workspace_id', '=', workspaceId)
      const newest = rows.orderBy('last_seen_at', 'desc').orderBy('lineage_id').orderBy('sensor_id')
      return (await newest.limit(checkedLimit(limit)).execute()).map(toSensor)
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

/** Deletes the oldest beyond the limit: whoever holds a token can name any number of sensors. */
async function forgetOldest(writer: Kysely<Tables>, workspaceId: string): Promise<void> {
  const ofWorkspace = writer.selectFrom('sensors').select('last_seen_at').where('workspace_id', '=', workspaceId)
  const tooMany = await ofWorkspace.orderBy('last_seen_at', 'desc').limit(1).offset(sensorsMax).executeTakeFirst()
  if (tooMany === undefined) return
  const oldest = writer.deleteFrom('sensors').where('workspace_id', '=', workspaceId)
  await oldest.where('last_seen_at', '<=', tooMany.last_seen_at).execute()
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
