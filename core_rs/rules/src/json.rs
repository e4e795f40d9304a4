//! Reading protobuf's JSON form: both spellings of a name, numbers as numbers or strings, `null` for absent, and
//! nothing unknown. What the messages are is each game's own matter.

use serde_json::{Map, Value};

/// A value that its message cannot have. Names no content: what was sent may be hidden or hostile.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Malformed;

/// The values of the fields `names` (camelCase), in that order; `None` for one that is absent or `null`.
///
/// # Errors
/// [`Malformed`] if `value` is no object, has another field, or has one under both of its spellings.
pub fn fields<'a, const N: usize>(value: &'a Value, names: [&str; N]) -> Result<[Option<&'a Value>; N], Malformed> {
    let given = value.as_object().ok_or(Malformed)?;
    let mut found = [None; N];
    for (name, value) in given {
        let at = names.iter().position(|known| name == known || *name == snake_case(known)).ok_or(Malformed)?;
        let place = found.get_mut(at).ok_or(Malformed)?;
        if place.replace(value).is_some() {
            return Err(Malformed);
        }
    }
    Ok(found.map(|value| value.filter(|value| !value.is_null())))
}

/// A message without fields.
///
/// # Errors
/// [`Malformed`] for anything but `{}`.
pub fn empty(value: &Value) -> Result<(), Malformed> {
    fields(value, []).map(|[]| ())
}

/// A `uint32`: a whole number, or one written as a string.
///
/// # Errors
/// [`Malformed`] for anything else.
pub fn uint32(value: &Value) -> Result<u32, Malformed> {
    match value {
        Value::Number(number) => match (number.as_u64(), number.as_f64()) {
            (Some(whole), _) => u32::try_from(whole).map_err(|_| Malformed),
            // 3.0 and 3e0 are whole numbers too.
            (None, Some(float)) if float.fract() == 0.0 && (0.0..=f64::from(u32::MAX)).contains(&float) => {
                Ok(float as u32)
            }
            _ => Err(Malformed),
        },
        Value::String(text) if text.bytes().all(|byte| byte.is_ascii_digit()) => text.parse().map_err(|_| Malformed),
        _ => Err(Malformed),
    }
}

/// A number that is 0 when absent.
///
/// # Errors
/// [`Malformed`] as for [`uint32`].
pub fn uint32_or_zero(value: Option<&Value>) -> Result<u32, Malformed> {
    value.map_or(Ok(0), uint32)
}

/// A `bool` that is false when absent.
///
/// # Errors
/// [`Malformed`] for anything but `true` and `false`.
pub fn boolean(value: Option<&Value>) -> Result<bool, Malformed> {
    value.map_or(Ok(false), |value| value.as_bool().ok_or(Malformed))
}

/// An enum by its name or its number: the position of its value in `names`, 0 when absent.
///
/// # Errors
/// [`Malformed`] for another name, or what is neither. A number beyond `names` is one: enums are open.
pub fn enumeration(value: Option<&Value>, names: &[&str]) -> Result<usize, Malformed> {
    match value {
        None => Ok(0),
        Some(Value::String(name)) => names.iter().position(|known| known == name).ok_or(Malformed),
        Some(value @ Value::Number(_)) => match value.as_i64() {
            Some(number) => {
                i32::try_from(number).map(|number| usize::try_from(number).unwrap_or(usize::MAX)).map_err(|_| Malformed)
            }
            None => uint32(value).map(|number| number as usize),
        },
        Some(_) => Err(Malformed),
    }
}

/// The JSON object of those members.
#[must_use]
pub fn object<const N: usize>(members: [(&str, Value); N]) -> Value {
    Value::Object(members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect::<Map<_, _>>())
}

fn snake_case(name: &str) -> String {
    let mut snake = String::with_capacity(name.len() + 4);
    for letter in name.chars() {
        if letter.is_ascii_uppercase() {
            snake.push('_');
        }
        snake.push(letter.to_ascii_lowercase());
    }
    snake
}
