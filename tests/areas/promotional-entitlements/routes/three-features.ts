import { type World, world } from "../../../support/world";
import { prepare } from "../grants";

export let ours: World;
export async function begin() {
	ours = world();
	await prepare(ours);
}
export const features = (rows: readonly { featureId: string }[]) => rows.map(({ featureId }) => featureId);
