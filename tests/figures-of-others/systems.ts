import killBill from "./kill-bill";
import type { System } from "./scenario";

export const systems: readonly System[] = [killBill];
