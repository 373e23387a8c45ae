export const noMembers: ReadonlyMap<string, number> = new Map();
