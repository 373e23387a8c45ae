/** The words for proration modes, for the tables of texts. */
export const prorationModes = {
	BY_TIME: ["By time", "Nach Zeit"],
	BY_DAY: ["By day", "Nach Tagen"],
	THIRTY_DAY_MONTH: ["By 30-day months", "Nach Monaten zu 30 Tagen"],
	NONE: ["None", "Keine"],
} as const;
