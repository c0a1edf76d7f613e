/** The height of a chart in pixels, known before the chart is loaded, so that the content below does not move. */
export const chartHeightPx = 280
