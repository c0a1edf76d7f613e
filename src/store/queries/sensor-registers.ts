/** The last sign of life of each sensor, in queries that every engine understands. */
import type { Kysely } from 'kysely'
import { checkedText } from '../tables/encode.ts'
import { checkedLimit } from './limit.ts'
import type { Databases } from './registers.ts'
import type { SensorColumns, Tables } from '../tables/schema.ts'
import { sensorsMax, type SensorRecord, type Store } from '../store.ts'

/** Rows of one statement, so that their parameters stay within what every engine takes. */
const rowsPerStatement = 500

export function createSensorRegisters({ reader, writer }: Databases): Pick<Store, 'putSensors' | 'listSensors'> {
  return {
    putSensors: async (sensors) => {
      // Rows are locked in one order, so that two instances never wait for each other.
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

/** Forgets sensors that were not heard of since a time. */
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

/** Whoever holds a token can name as many sensors as it likes. */
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
