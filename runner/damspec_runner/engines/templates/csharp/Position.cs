using System;
using System.Collections.Generic;
using System.Linq;
using System.Text.RegularExpressions;

namespace DamspecAdapter
{
    /// <summary>A position of draughts as text, as damspec writes it: B:W21-32:BK5,9 is Black to move.</summary>
    public sealed class Position
    {
        /// <summary>'W' or 'B'.</summary>
        public char Turn;

        /// <summary>What stands on a square, from 1: 'w' 'b' a man, 'W' 'B' a king.</summary>
        public readonly SortedDictionary<int, char> On = new SortedDictionary<int, char>();

        /// <summary>Read a position; throws FormatException if the text is invalid.</summary>
        public static Position Read(string text)
        {
            if (!Regex.IsMatch(text, "^[WB]:(W[^:]*:B|B[^:]*:W)"))
                throw new FormatException("no position: " + text);
            var parts = text.Split(':');
            var found = new Position { Turn = parts[0][0] };
            foreach (var part in parts.Skip(1).Take(2))
                foreach (var piece in part.Substring(1).Split(',').Where(piece => piece != ""))
                {
                    var read = Regex.Match(piece, @"^K?([1-9][0-9]{0,2})(-[1-9][0-9]{0,2})?\z");
                    var first = read.Success ? int.Parse(read.Groups[1].Value) : 1;
                    var last = !read.Success ? 0 : read.Groups[2].Success ? -int.Parse(read.Groups[2].Value) : first;
                    if (last < first)
                        throw new FormatException("no piece: " + piece);
                    for (var square = first; square <= last; square++)
                        found.On[square] = piece[0] == 'K' ? part[0] : char.ToLowerInvariant(part[0]);
                }
            return found;
        }

        /// <summary>A copy that can be changed.</summary>
        public Position Copy()
        {
            return Read(Write());
        }

        /// <summary>The position as text.</summary>
        public string Write()
        {
            return $"{Turn}:W{Pieces('W')}:B{Pieces('B')}";
        }

        string Pieces(char side)
        {
            var pieces = On.Where(each => char.ToUpperInvariant(each.Value) == side);
            return string.Join(",", pieces.Select(each => (each.Value == side ? "K" : "") + each.Key));
        }
    }
}
