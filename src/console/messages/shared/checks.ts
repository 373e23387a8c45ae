import { inLanguage } from "../language";

export const t = inLanguage({
	en: {
		required: "Required",
		tooLong: "At most {max} characters",
		tooShort: "At least {min} characters",
		tooLarge: "At most {max}",
		tooSmall: "At least {min}",
		notANumber: "A number, please",
		notAsExpected: "This is not in the expected form",
	},
	de: {
		required: "Wird gebraucht",
		tooLong: "Höchstens {max} Zeichen",
		tooShort: "Mindestens {min} Zeichen",
		tooLarge: "Höchstens {max}",
		tooSmall: "Mindestens {min}",
		notANumber: "Bitte eine Zahl",
		notAsExpected: "Das hat nicht die erwartete Form",
	},
});
