/** Compares the periods of all zones, units, counts and days, each at some of the times of day, with the walk. */
import { compareWithWalk, isAnchor, timesOfDay } from "./boundaries";
import { zones } from "./calendar";

let compared = 0;
for (const timeZone of zones) {
	for (const unit of ["DAY", "MONTH"] as const)
		for (let count = 1; count <= 13; count += 1)
			for (let day = 1; day <= 31; day += 1)
				for (const timeOfDay of timesOfDay.filter((_, index) => (index + day) % 3 === 0)) {
					const sample = {
						timeZone,
						interval: { unit, count },
						month: day === 31 ? 3 : (day % 12) + 1,
						day,
						timeOfDay,
					};
					if (isAnchor(sample)) compared += compareWithWalk(sample);
				}
	process.stdout.write(`${timeZone}: ${compared} boundaries are equal so far\n`);
}
