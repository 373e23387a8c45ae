/**
 * What counts as an e-mail address, as whoever signs in types it: of ASCII alone. Other scripts have letters that become these
 * when they are made small (the sign of Kelvin a "k"), and addresses are compared so: one would come in as the other.
 */
export const isEmail = (text: string): boolean => /^[\w.!#$%&'*+/=?^`{|}~-]+@[A-Za-z\d.-]+$/.test(text);
