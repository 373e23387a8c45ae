/** ISO A4, in points. */
export const pageWidth = 595.28;
export const pageHeight = 841.89;

export const margin = 48;
export const contentWidth = pageWidth - 2 * margin;
export const right = pageWidth - margin;
/** Below this nothing but the foot is drawn. */
export const contentBottom = pageHeight - 64;
