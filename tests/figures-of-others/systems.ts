import flexprice from "./flexprice";
import killBill from "./kill-bill";
import lago from "./lago";
import openMeter from "./openmeter";
import polar from "./polar";
import type { System } from "./scenario";

export const systems: readonly System[] = [killBill, lago, openMeter, polar, flexprice];
