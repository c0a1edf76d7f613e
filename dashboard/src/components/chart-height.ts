/** The height of a chart in pixels, known before the chart is loaded, so that what stands below it does not move. */
export const chartHeightPx = 280
