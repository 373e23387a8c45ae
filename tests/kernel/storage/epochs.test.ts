import { expect, test } from "bun:test";
import { Epochs, placeOf } from "../../../src/kernel/storage/epochs";

test("the places of who has changed since it was asked last, by whichever thread", () => {
	const epochs = new Epochs();
	epochs.counted(["before"]);
	const changed = epochs.changedPlaces();
	const another = new Epochs(epochs.memory);
	expect(changed()).toEqual({ isAll: false, places: [] });
	another.counted(["ada", "bob"]);
	another.counted(["ada"]);
	const { isAll, places } = changed();
	expect({ isAll, places: new Set(places) }).toEqual({ isAll: false, places: new Set(["ada", "bob"].map(placeOf)) });
	expect(changed()).toEqual({ isAll: false, places: [] });
	another.counted("all");
	another.counted(["eve"]);
	const all = changed();
	expect(all.isAll).toBe(true);
	expect(all.places).toContain(placeOf("eve"));
	expect(changed()).toEqual({ isAll: false, places: [] });
});
