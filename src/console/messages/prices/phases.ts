import { texts } from "../shared/words";

export const t = texts({
	phase: ["Phase", "Phase"],
	phases: ["Phases", "Phasen"],
	phasesText: [
		"Phases come first, one after the other from the start of billing. Then the prices of the plan apply.",
		"Phasen kommen zuerst, eine nach der anderen ab Beginn der Abrechnung. Danach gelten die Preise des Plans.",
	],
	phaseName: ["Name", "Name"],
	phaseLength: ["Length", "Länge"],
	percentOff: ["Percent off", "Prozent Nachlass"],
	prices: ["Prices", "Preise"],
	lowerPrices: ["Prices of the plan, less a percentage", "Preise des Plans, abzüglich eines Nachlasses"],
	ownPrices: ["Prices of its own", "Eigene Preise"],
	addPhase: ["Add phase", "Phase hinzufügen"],
	DAY: ["days", "Tage"],
	WEEK: ["weeks", "Wochen"],
	MONTH: ["months", "Monate"],
	YEAR: ["years", "Jahre"],
});
