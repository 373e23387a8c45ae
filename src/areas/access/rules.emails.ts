/**
 * Whether the text is an email address. Only ASCII is allowed: some letters of other scripts become ASCII letters in
 * lower case (such as the Kelvin sign), so two addresses could be confused.
 */
export const isEmail = (text: string): boolean => /^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z\d.-]+$/.test(text);
