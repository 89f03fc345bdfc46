//! Puts labels of one line side by side before `miette` draws them.

use miette::LabeledSpan;

/// Shortens labels that overlap within a line: `miette` 7.6 draws the second of two such labels behind the first.
pub(super) fn side_by_side(labels: &mut [LabeledSpan], text: &str) {
    let range = |label: &LabeledSpan| (label.offset(), label.offset() + label.len());
    let is_in_line = |label: &LabeledSpan| {
        let (start, end) = range(label);
        text.get(start..end).is_some_and(|marked| !marked.contains('\n'))
    };
    let mut order: Vec<usize> = (0..labels.len()).filter(|at| is_in_line(&labels[*at])).collect();
    for at in 0..order.len() {
        // A label that was shortened at its start comes later.
        order[at..].sort_by_key(|at| (labels[*at].offset(), labels[*at].len()));
        let ((start, end), others) = (range(&labels[order[at]]), &order[at + 1..]);
        for other in others {
            let (begin, last) = range(&labels[*other]);
            if begin == start && last > end {
                let gap = text[end..last].len() - text[end..last].trim_start().len();
                labels[*other] = moved(&labels[*other], end + gap, last);
            }
        }
        if let Some(begin) = others.iter().map(|other| labels[*other].offset()).filter(|begin| *begin > start).min()
            && begin < end
        {
            labels[order[at]] = moved(&labels[order[at]], start, start + text[start..begin].trim_end().len());
        }
    }
}

/// A label with the same words at another place. An empty place leaves the label as it is.
fn moved(label: &LabeledSpan, start: usize, end: usize) -> LabeledSpan {
    let words = label.label().map(str::to_string);
    match (start < end, label.primary()) {
        (false, _) => label.clone(),
        (true, true) => LabeledSpan::new_primary_with_span(words, (start, end - start)),
        (true, false) => LabeledSpan::new_with_span(words, (start, end - start)),
    }
}

#[cfg(test)]
mod tests {
    use super::{LabeledSpan, side_by_side};

    fn drawn(text: &str, ranges: &[(usize, usize)]) -> Vec<String> {
        let mut labels: Vec<LabeledSpan> =
            ranges.iter().map(|(start, end)| LabeledSpan::new(None, *start, end - start)).collect();
        side_by_side(&mut labels, text);
        labels.iter().map(|label| text[label.offset()..label.offset() + label.len()].to_string()).collect()
    }

    #[test]
    fn a_label_inside_another_one_stands_beside_it() {
        let text = "p(X) :- q(X, 1).\nr.";
        assert_eq!(drawn(text, &[(8, 15), (13, 14)]), ["q(X,", "1"]);
        assert_eq!(drawn(text, &[(8, 15), (10, 11), (13, 14)]), ["q(", "X", "1"]);
        assert_eq!(drawn(text, &[(0, 15), (0, 4)]), [":- q(X, 1)", "p(X)"]);
        assert_eq!(drawn(text, &[(0, 15), (0, 4), (8, 15)]), [":-", "p(X)", "q(X, 1)"]);
    }

    #[test]
    fn labels_that_do_not_overlap_in_a_line_stay() {
        let text = "p(X) :- q(X, 1).\nr.";
        assert_eq!(drawn(text, &[(2, 3), (8, 15)]), ["X", "q(X, 1)"]);
        assert_eq!(drawn(text, &[(0, 19), (2, 3)]), [text, "X"]);
        assert_eq!(drawn(text, &[(2, 3), (2, 3)]), ["X", "X"]);
    }
}
