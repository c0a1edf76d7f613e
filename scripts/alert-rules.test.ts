import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parse } from 'yaml'
import { metricTable, type Metric } from '../src/telemetry/metric-table.ts'
import { alertRules, alertRulesFile } from './alert-rules.ts'

const metrics = new Map(Object.values<Metric>(metricTable).map((metric) => [metric.name, metric]))

test('an alert uses only existing metrics, and labels that they have', () => {
  for (const { alert, expr } of alertRules) {
    const asked = [...expr.matchAll(/(sluice_\w+)(?:\{(\w+)=)?/g)]
    assert.ok(asked.length > 0, alert)
    for (const [, name = '', label] of asked) {
      const metric = metrics.get(name.replace(/_bucket$/, ''))
      assert.ok(metric, `${alert}: ${name}`)
      if (name.endsWith('_bucket')) assert.equal(metric.type, 'histogram')
      if (label !== undefined) assert.ok(metric.labels.includes(label), `${alert}: ${label}`)
    }
  }
})

test('the rule file has each alert once, with the member names that Prometheus uses', () => {
  const { groups } = parse(alertRulesFile()) as { groups: { rules: Record<string, unknown>[] }[] }
  const rules = groups.flatMap((group) => group.rules)
  assert.deepEqual(
    rules.map(({ alert, expr }) => [alert, expr]),
    alertRules.map(({ alert, expr }) => [alert, expr])
  )
  assert.equal(new Set(rules.map(({ alert }) => alert)).size, alertRules.length)
  for (const rule of rules) assert.match(String(rule['for']), /^[0-9]+m$/)
})
